import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { codeSamples, drivesBrowser } from '../helpers/code-samples'
import { startLocalApi, type LocalApi } from '../helpers/local-api'
import { root } from '../helpers/root'

const run = promisify(execFile)
const token = 'token-of-a-test'
const address = 'http://127.0.0.1:35000'
const samples = codeSamples().filter(({ code }) => code.includes(address) || /LOCAL_API_TOKEN=/.test(code))
const shell = samples.filter(({ language, code }) => language === 'bash' && code.includes(address))
const scripts = samples.filter((sample) => sample.language === 'js' && !drivesBrowser(sample))

let api: LocalApi
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'samples-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function start(): Promise<Record<string, string>> {
  api = await startLocalApi({
    token, ws: 'ws://127.0.0.1:1/devtools/browser/none', starts: 2,
    profiles: ['p-1001', 'p-1002', 'p-1003'].map((id, index) => ({ id, name: `Shop ${index + 1}`, folder: 'Acme', tags: ['shop'], state: 'closed' as const })),
  })
  return { PATH: process.env['PATH'] ?? '', LOCAL_API_TOKEN: token, PROFILE_ID: 'p-1001' }
}
/** The sample as it stands, but for the port: a computer that tests may run a client of its own. */
const toStandIn = (code: string): string => code.replaceAll(address, `http://127.0.0.1:${api.port}`)

describe('every command for the local API runs as it stands', () => {
  it.each(shell.map((sample) => [`${sample.file}:${sample.line}`, sample] as const))('%s', async (_, { code }) => {
    const env = await start()
    try {
      // The lines that ask for a token to be pasted would replace the test's own.
      const script = toStandIn(code).replace(/^export (LOCAL_API_TOKEN|PROFILE_ID)=.*$/gm, '')
      const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script.replaceAll('curl ', 'curl -sS --fail-with-body ')], { env })
      const answers = stdout.split(/(?<=\})(?=\{)/).filter((text) => text.trim())
      for (const answer of answers) expect(JSON.parse(answer)).toMatchObject({ code: 0, msg: 'ok' })
      expect(api.requests).toHaveLength((code.match(/curl /g) ?? []).length)
    } finally {
      await api.stop()
    }
  })
})

describe('every script that needs only Node runs as it stands', () => {
  it.each(scripts.map((sample) => [`${sample.file}:${sample.line}`, sample] as const))('%s', async (_, { code }) => {
    const env = await start()
    try {
      const file = join(folder, 'sample.mjs')
      await writeFile(file, toStandIn(code))
      const { stderr } = await run(process.execPath, [file], { env, cwd: root, timeout: 30_000 })
      expect(stderr).toBe('')
      expect(api.requests.length).toBeGreaterThan(0)
      expect(api.profiles.every(({ state }) => state === 'closed')).toBe(true)
    } finally {
      await api.stop()
    }
  })
})

it('finds samples in every language that documents the local API', async () => {
  expect(shell.length).toBeGreaterThanOrEqual(10)
  const languages = (await readdir(join(root, 'content/docs/automation'))).filter((name) => name.endsWith('.md'))
  expect(new Set(samples.map(({ file }) => file.split('/').at(-1)))).toEqual(new Set(languages))
})

it('answers wrong tokens, unknown profiles and a second start as documented', async () => {
  await start()
  try {
    const ask = async (path: string, method = 'GET', bearer = token) => {
      const response = await fetch(`http://127.0.0.1:${api.port}/v1${path}`, { method, headers: { Authorization: `Bearer ${bearer}` } })
      return [response.status, ((await response.json()) as { code: number }).code]
    }
    expect(await ask('/profiles', 'GET', 'wrong')).toEqual([401, 40100])
    expect(await ask('/profiles/none/start', 'POST')).toEqual([404, 40400])
    expect(await ask('/profiles/p-1001/start', 'POST')).toEqual([200, 0])
    expect(await ask('/profiles/p-1001/start', 'POST')).toEqual([409, 40900])
  } finally {
    await api.stop()
  }
})
