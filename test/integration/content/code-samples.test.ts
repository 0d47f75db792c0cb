import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseOpenApi } from '../../../server/content/compile/check-openapi'
import { findOperation } from '../../../testing/api-stand-in'
import { codeSamples, drivesBrowser, uniqueSamples } from '../../../testing/code-samples'
import { startLocalApi, type LocalApi, type LocalProfile } from '../../../testing/local-api'
import { root } from '../../../testing/root'
import { temporaryFolder } from '../../../testing/release-with-tests'

const run = promisify(execFile)
const token = 'token-of-a-test'
const address = 'http://127.0.0.1:35000'
const samples = codeSamples().filter(
  ({ code }) => code.includes(address) || /LOCAL_API_TOKEN=/.test(code),
)
const shell = samples.filter(({ language, code }) => language === 'bash' && code.includes(address))
const scripts = samples.filter((sample) => sample.language === 'js' && !drivesBrowser(sample))

let api: LocalApi
let folder: string
let openApi: ReturnType<typeof parseOpenApi>
beforeAll(async () => {
  openApi = parseOpenApi(await readFile(join(root, 'content/api/openapi.yaml'), 'utf8'))
  folder = temporaryFolder('samples')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const closed = ['p-1001', 'p-1002', 'p-1003'].map((id, index): LocalProfile => ({
  id,
  name: `Shop ${index + 1}`,
  folder: 'Acme',
  tags: ['shop'],
  state: 'closed',
}))
async function start(
  profiles: readonly LocalProfile[] = closed,
  failing: readonly string[] = [],
): Promise<Record<string, string>> {
  api = await startLocalApi({
    token,
    ws: 'ws://127.0.0.1:1/devtools/browser/none',
    starts: 2,
    profiles,
    failing,
  })
  return { PATH: process.env['PATH'] ?? '', LOCAL_API_TOKEN: token, PROFILE_ID: 'p-1001' }
}
/** The sample as it stands, but for the port: a computer that tests may run a client of its own. */
const toStandIn = (code: string): string => code.replaceAll(address, `http://127.0.0.1:${api.port}`)

/** Requests that the description of the local API does not have. */
const undocumented = (requests: readonly string[]): string[] =>
  requests.filter((request) => {
    const [method = '', target = ''] = request.split(' ')
    const { pathname, searchParams } = new URL(target, 'http://local')
    const found = openApi.ok && findOperation(openApi.value, method, pathname)
    const names = found ? found.operation.parameters.map(({ name }) => name) : []
    return !found || [...searchParams.keys()].some((name) => !names.includes(name))
  })

describe('every command for the local API runs as it stands', () => {
  it.each(uniqueSamples(shell).map((sample) => [`${sample.file}:${sample.line}`, sample] as const))(
    '%s',
    async (_, { code }) => {
      const env = await start()
      try {
        // The lines that ask for a token to be pasted would replace the test's own.
        const script = toStandIn(code).replace(/^export (LOCAL_API_TOKEN|PROFILE_ID)=.*$/gm, '')
        const { stdout } = await run(
          'bash',
          ['-euo', 'pipefail', '-c', script.replaceAll('curl ', 'curl -sS --fail-with-body ')],
          { env },
        )
        const answers = stdout.split(/(?<=\})(?=\{)/).filter((text) => text.trim())
        for (const answer of answers)
          expect(JSON.parse(answer)).toMatchObject({ code: 0, msg: 'ok' })
        expect(api.requests).toHaveLength((code.match(/curl /g) ?? []).length)
        expect(undocumented(api.requests)).toEqual([])
      } finally {
        await api.stop()
      }
    },
  )
})

describe('every script that needs only Node runs as it stands', () => {
  it.each(
    uniqueSamples(scripts).map((sample) => [`${sample.file}:${sample.line}`, sample] as const),
  )('%s', async (_, { code }) => {
    const env = await start()
    try {
      const file = join(folder, 'sample.mjs')
      await writeFile(file, toStandIn(code))
      const { stderr } = await run(process.execPath, [file], { env, cwd: root, timeout: 30_000 })
      expect(stderr).toBe('')
      expect(api.requests.length).toBeGreaterThan(0)
      expect(undocumented(api.requests)).toEqual([])
      expect(api.profiles.every(({ state }) => state === 'closed')).toBe(true)
    } finally {
      await api.stop()
    }
  })
})

const python = samples.filter(({ language }) => language === 'python')
describe('every Python script starts the profile and stops it, with a stub of its browser library', () => {
  it.each(
    uniqueSamples(python).map((sample) => [`${sample.file}:${sample.line}`, sample] as const),
  )('%s', async (_, { code }) => {
    const env = await start()
    try {
      for (const library of ['selenium', 'playwright'])
        await mkdir(join(folder, library), { recursive: true })
      const stub = 'from unittest.mock import MagicMock\n'
      await writeFile(join(folder, 'selenium', '__init__.py'), `${stub}webdriver = MagicMock()\n`)
      await writeFile(join(folder, 'playwright', '__init__.py'), '')
      await writeFile(
        join(folder, 'playwright', 'sync_api.py'),
        `${stub}sync_playwright = MagicMock()\n`,
      )
      await writeFile(join(folder, 'sample.py'), toStandIn(code))
      await run('python3', [join(folder, 'sample.py')], {
        env: { ...env, CHROMEDRIVER: 'chromedriver' },
        timeout: 30_000,
      })
      expect(api.requests).toEqual([
        'POST /v1/profiles/p-1001/start',
        'POST /v1/profiles/p-1001/stop',
      ])
    } finally {
      await api.stop()
    }
  })
})

/** What the script of an article prints, run against the stand-in as it is now. */
async function printed(article: string, env: Record<string, string>): Promise<string> {
  const sample = scripts.find(({ file }) => file === article)
  if (!sample) throw new Error(`no script in ${article}`)
  const file = join(folder, 'article.mjs')
  await writeFile(file, toStandIn(sample.code))
  return (await run(process.execPath, [file], { env, cwd: root, timeout: 30_000 })).stdout
}

describe.each([
  ['en', 'check proxy', 'Acme – shop – DE – main', 'Acme – ads – DE – billing'],
  ['zh', '查代理', 'Acme – 店铺 – DE – 主号', 'Acme – 广告 – DE – 结算'],
])('scripts of %s articles do what the text says', (locale, mark, present, absent) => {
  const profile = (
    id: string,
    name: string,
    tags = ['shop'],
    state: LocalProfile['state'] = 'closed',
  ): LocalProfile => ({ id, name, folder: 'Acme', tags, state })

  it('the morning check marks failing proxies, unmarks mended ones and leaves open profiles alone', async () => {
    const env = await start(
      [
        profile('p-1', 'Shop 1', [mark, 'shop']),
        profile('p-2', 'Shop 2'),
        profile('p-3', 'Shop 3', ['shop'], 'open'),
        profile('p-4', 'Mail', []),
      ],
      ['p-2'],
    )
    try {
      const lines = (
        await printed(`blog/choosing-between-synchroniser-rpa-and-api/${locale}.md`, env)
      )
        .trim()
        .split('\n')
      expect(lines).toEqual([
        expect.stringContaining('Shop 1'),
        expect.stringMatching(/^42200 .*Shop 2$/),
        expect.stringContaining('Shop 3'),
      ])
      expect(api.profiles).toEqual([
        profile('p-1', 'Shop 1'),
        profile('p-2', 'Shop 2', ['shop', mark]),
        profile('p-3', 'Shop 3', ['shop'], 'open'),
        profile('p-4', 'Mail', []),
      ])
      expect(api.requests.filter((request) => /p-[34]/.test(request))).toEqual([])
    } finally {
      await api.stop()
    }
  })

  it('the comparison after a move names what is missing, unexpected or there twice, on all pages', async () => {
    const others = Array.from({ length: 101 }, (_, index) => profile(`p-${index}`, `Z ${index}`))
    const env = await start([profile('p-main', present), ...others, profile('p-again', 'Z 7')])
    try {
      const [missing = [], extra = [], twice = []] = (
        await printed(`blog/moving-from-another-tool/${locale}.md`, env)
      )
        .trim()
        .split(/\n(?=\S)/)
        .map((part) =>
          part
            .split('\n')
            .slice(1)
            .map((name) => name.trim()),
        )
      expect(missing).toEqual([absent])
      expect(new Set(extra)).toEqual(new Set(others.map(({ name }) => name)))
      expect(twice).toEqual(['Z 7'])
      expect(api.requests).toHaveLength(2)
    } finally {
      await api.stop()
    }
  })
})

it('finds samples in every language that documents the local API', async () => {
  expect(shell.length).toBeGreaterThanOrEqual(10)
  const languages = (await readdir(join(root, 'content/docs/automation'))).filter((name) =>
    name.endsWith('.md'),
  )
  expect(new Set(samples.map(({ file }) => file.split('/').at(-1)))).toEqual(new Set(languages))
})

it('answers wrong tokens, unknown profiles and a second start as documented', async () => {
  await start()
  try {
    const ask = async (path: string, method = 'GET', bearer = token) => {
      const response = await fetch(`http://127.0.0.1:${api.port}/v1${path}`, {
        method,
        headers: { Authorization: `Bearer ${bearer}` },
      })
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

const downloads = codeSamples().filter(
  ({ language, code }) => language === 'bash' && code.includes('shasum'),
)
it.each(downloads.map((sample) => [`${sample.file}:${sample.line}`, sample] as const))(
  'the sum of a download that %s compares is the right one',
  async (_, { code }) => {
    const [, version = ''] = /client-(\d+\.\d+\.\d+)-/.exec(code) ?? []
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', code], {
      cwd: join(root, 'public', 'downloads', version),
    })
    expect(stdout.trim()).toMatch(/^client-[\w.-]+: OK$/)
  },
)
