/**
 * Code samples of articles that control a browser. Each runs unchanged, with a fake local API and
 * its own browser.
 */
import { execFile } from 'node:child_process'
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from '@playwright/test'
import { test } from '../../../testing/browser-test'
import { codeSamples, drivesBrowser, uniqueSamples } from '../../../testing/code-samples'
import { startLocalApi } from '../../../testing/local-api'
import { root } from '../../../testing/root'
import { temporaryFolder } from '../../../testing/release-with-tests'

const run = promisify(execFile)
const address = 'http://127.0.0.1:35000'
const samples = codeSamples().filter(drivesBrowser)

test('there are such samples in both source languages', () => {
  const files = samples.map(({ file }) => file)
  for (const locale of ['en', 'zh']) expect(files).toContain(`docs/automation/${locale}.md`)
})

for (const { file, line, code } of uniqueSamples(samples)) {
  test(`${file}:${line} opens its page in the profile and stops it`, async ({
    playwright,
    launchOptions,
  }) => {
    const folder = temporaryFolder('sample')
    const storage = join(folder, 'profile')
    const browser = await playwright.chromium.launchPersistentContext(storage, {
      ...launchOptions,
      args: [...(launchOptions.args ?? []), '--remote-debugging-port=0'],
    })
    const opened: string[] = []
    // The test answers for the page that the sample opens, so it needs no internet.
    await browser.route('https://example.com/**', (route) => {
      opened.push(route.request().url())
      return route.fulfill({
        contentType: 'text/html',
        body: '<!doctype html><title>Page of a test</title>',
      })
    })
    const [port, path] = readFileSync(join(storage, 'DevToolsActivePort'), 'utf8').split('\n')
    const api = await startLocalApi({
      token: 'token-of-a-test',
      ws: `ws://127.0.0.1:${port}${path}`,
      profiles: [{ id: 'p-1001', name: 'Shop', folder: 'Acme', tags: [], state: 'closed' }],
    })
    try {
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
      writeFileSync(
        join(folder, 'sample.mjs'),
        code.replaceAll(address, `http://127.0.0.1:${api.port}`),
      )
      const { stdout, stderr } = await run(process.execPath, [join(folder, 'sample.mjs')], {
        timeout: 60_000,
        env: {
          PATH: process.env['PATH'] ?? '',
          LOCAL_API_TOKEN: 'token-of-a-test',
          PROFILE_ID: 'p-1001',
        },
      })
      expect(stderr).toBe('')
      expect(opened).toContain('https://example.com/')
      if (code.includes('page.title()')) expect(stdout).toContain('Page of a test')
      expect(api.requests.filter((request) => request.startsWith('POST'))).toEqual([
        'POST /v1/profiles/p-1001/start',
        'POST /v1/profiles/p-1001/stop',
      ])
      expect(api.profiles.map(({ state }) => state)).toEqual(['closed'])
    } finally {
      await api.stop()
      await browser.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

for (const { file, line, code } of uniqueSamples(samples)) {
  test(`${file}:${line} stops the profile when its browser cannot be reached`, async () => {
    const folder = temporaryFolder('sample')
    const api = await startLocalApi({
      token: 'token-of-a-test',
      ws: 'ws://127.0.0.1:1/devtools/browser/none',
      profiles: [{ id: 'p-1001', name: 'Shop', folder: 'Acme', tags: [], state: 'closed' }],
    })
    try {
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
      writeFileSync(
        join(folder, 'sample.mjs'),
        code.replaceAll(address, `http://127.0.0.1:${api.port}`),
      )
      await expect(
        run(process.execPath, [join(folder, 'sample.mjs')], {
          timeout: 60_000,
          env: {
            PATH: process.env['PATH'] ?? '',
            LOCAL_API_TOKEN: 'token-of-a-test',
            PROFILE_ID: 'p-1001',
          },
        }),
      ).rejects.toThrow(/ECONNREFUSED/)
      expect(api.requests.at(-1)).toBe('POST /v1/profiles/p-1001/stop')
    } finally {
      await api.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
}
