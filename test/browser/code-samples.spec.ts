import { execFile } from 'node:child_process'
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { codeSamples, drivesBrowser } from '../helpers/code-samples'
import { startDevtoolsBrowser } from '../helpers/devtools-browser'
import { startLocalApi } from '../helpers/local-api'
import { root } from '../helpers/root'
import { temporaryFolder } from '../helpers/site'

const run = promisify(execFile)
const token = 'token-of-a-test'
const title = 'A page of the test'
const address = 'http://127.0.0.1:35000'

const samples = codeSamples().filter(drivesBrowser)
// Translations show the same script: it is run once, in the name of all of them.
const byCode = new Map(samples.map(({ code }) => [code, samples.filter((sample) => sample.code === code).map(({ file, line }) => `${file}:${line}`)]))

for (const [code, places] of byCode) {
  test(`drives a browser as it stands: ${places.join(', ')}`, async () => {
    const folder = temporaryFolder('sample')
    const browser = await startDevtoolsBrowser(title)
    const api = await startLocalApi({ token, ws: browser.ws, profiles: ['p-1001', 'p-1002'].map((id) => ({ id, name: `Shop ${id}`, folder: 'Acme', tags: ['shop'], state: 'closed' as const })) })
    try {
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
      // As it stands but for the port: a computer that tests may run a client of its own.
      writeFileSync(join(folder, 'sample.mjs'), code.replaceAll(address, `http://127.0.0.1:${api.port}`))
      const { stdout, stderr } = await run(process.execPath, ['sample.mjs'], { cwd: folder, timeout: 60_000, env: { PATH: process.env['PATH'] ?? '', LOCAL_API_TOKEN: token, PROFILE_ID: 'p-1001' } })
      expect(stderr).toBe('')
      const opened = [...code.matchAll(/\.goto\('([^']+)'/g)].map(([, url = '']) => new URL(url).href)
      expect(opened.length).toBeGreaterThan(0)
      expect([...new Set(browser.visited)]).toEqual(expect.arrayContaining(opened))
      if (code.includes('page.title()')) expect(stdout).toContain(title)
      expect(api.requests).toEqual(expect.arrayContaining(['POST /v1/profiles/p-1001/start', 'POST /v1/profiles/p-1001/stop']))
      expect(api.profiles.map(({ state }) => state)).toEqual(['closed', 'closed'])
    } finally {
      await api.stop()
      await browser.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

test('stops the profile when the browser cannot be reached', async () => {
  const [code = ''] = byCode.keys()
  const folder = temporaryFolder('sample')
  const api = await startLocalApi({ token, ws: 'ws://127.0.0.1:1/devtools/browser/none', profiles: [{ id: 'p-1001', name: 'Shop', folder: 'Acme', tags: [], state: 'closed' }] })
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'sample.mjs'), code.replaceAll(address, `http://127.0.0.1:${api.port}`))
    await expect(run(process.execPath, ['sample.mjs'], { cwd: folder, timeout: 60_000, env: { PATH: process.env['PATH'] ?? '', LOCAL_API_TOKEN: token, PROFILE_ID: 'p-1001' } })).rejects.toThrow(/ECONNREFUSED/)
    expect(api.requests.at(-1)).toBe('POST /v1/profiles/p-1001/stop')
  } finally {
    await api.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('finds such samples in the documentation and in the blog', () => {
  const files = samples.map(({ file }) => file)
  expect(files).toContain('docs/automation/en.md')
  expect(files).toContain('blog/first-script-with-the-local-api/en.md')
})
