import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { contentFile } from '../../../server/content/data-files'
import { openForWriting } from '../../../server/content/database'
import { readSettings } from '../../../server/env'
import { checkContent } from '../../../server/ops/doctor/check-content'
import { checkIdentity } from '../../../server/ops/doctor/check-identity'
import {
  checkClock,
  checkDisk,
  checkMemory,
  checkNode,
} from '../../../server/ops/doctor/check-machine'
import { checkHosts, checkPort } from '../../../server/ops/doctor/check-network'
import { checkRedis } from '../../../server/ops/doctor/check-stores'
import { checkUpstream } from '../../../server/ops/doctor/check-upstream'
import { runCheck, type Finding } from '../../../server/ops/doctor/finding'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { root } from '../../../testing/root'
import { startUpstream } from '../../../testing/upstream'

const settingsOf = (env: Record<string, string>) => readSettings(env, root)
/** Level and message of each finding. */
const said = (findings: readonly Finding[]): string[] =>
  findings.map(({ level, message }) => `${level} ${message}`)

it('a check that throws is a finding, so that the other checks still run', async () =>
  expect(
    await runCheck('disk', () => {
      throw new Error('it broke\nat a line')
    }),
  ).toEqual([
    {
      topic: 'disk',
      level: 'wrong',
      message: 'the check failed (it broke)',
      fix: 'fix the other problems, then run the doctor again',
    },
  ]))

describe('the content', () => {
  it('is checked for articles and for the texts of every language', () => {
    const [content, data] = [temporaryFolder('doctor-content'), temporaryFolder('doctor-data')]
    writeFileSync(join(content, 'site.yaml'), '')
    const settings = settingsOf({ CONTENT_DIR: content, DATA_DIR: data })
    const db = openForWriting(contentFile(data))
    db.exec("INSERT INTO meta VALUES ('generation', '1')")
    db.close()
    expect(checkContent(settings, join(root, 'locales'))).toMatchObject({
      level: 'note',
      message: `no article is compiled from ${content}`,
    })
    const locales = join(content, 'locales')
    for (const code of ['en', 'zh']) mkdirSync(join(locales, code), { recursive: true })
    expect(checkContent(settings, locales)).toMatchObject({
      level: 'wrong',
      message: expect.stringMatching(/^the texts of (?!.*\b(?:en|zh)\b).*\bes\b.* are missing$/),
    })
  })
})

describe('sign-in', () => {
  const keys = { '/certs': '{"keys":[{},{}]}' }
  it.each<[string, Record<string, string>, string[]]>([
    [
      'that works',
      { '/gsi.js': 'x', ...keys },
      ['ok the script of the identity provider loads', 'ok the identity provider has 2 keys'],
    ],
    [
      'whose URLs lead elsewhere',
      {},
      [
        'wrong the script of the identity provider answers 404',
        'wrong ORIGIN/certs returns no keys (status 404)',
      ],
    ],
    [
      'without keys',
      { '/gsi.js': 'x', '/certs': '{}' },
      [
        'ok the script of the identity provider loads',
        'wrong ORIGIN/certs returns no keys (status 200)',
      ],
    ],
  ])('%s is reported', async (_name, files, expected) => {
    const provider = await startUpstream((request, response) => {
      const body = files[request.url ?? '']
      response.writeHead(body === undefined ? 404 : 200).end(body)
    })
    const findings = await checkIdentity(
      settingsOf({
        GOOGLE_CLIENT_ID: 'a.apps.googleusercontent.com',
        GSI_SCRIPT_URL: `${provider.origin}/gsi.js`,
        ID_TOKEN_JWKS_URL: `${provider.origin}/certs`,
        SITE_URL_EN: 'http://www.example.com',
      }),
    )
    expect(said(findings)).toEqual([
      'wrong browsers show the sign-in prompt only on https',
      ...expected.map((text) => text.replace('ORIGIN', provider.origin)),
    ])
    expect(findings.filter(({ clock }) => clock)).toHaveLength(2)
    await provider.stop()
  })
})

it('a backend that publishes its public key needs no setting', async () => {
  const backend = await startUpstream((request, response) => {
    const data = request.url?.includes('public-key') ? { spki: 'MIIB' } : {}
    response.end(JSON.stringify({ code: 0, msg: 'ok', data }))
  })
  const settings = settingsOf({ API_UPSTREAM: backend.origin, APP_URL: 'https://app.example.com' })
  expect(said(await checkUpstream(settings))).toEqual([
    `ok ${backend.origin} answers`,
    'ok it publishes its public key',
  ])
  await backend.stop()
})

describe('the network', () => {
  it('HOST that no interface has is wrong', async () =>
    expect(await checkPort(settingsOf({ HOST: '192.0.2.1', PORT: '3999' }))).toMatchObject({
      level: 'wrong',
      message: 'HOST=192.0.2.1 is not an address of this machine',
    }))

  it('https on some hosts alone, and no trusted proxy before it, are noted', async () => {
    const settings = settingsOf({
      DATA_DIR: temporaryFolder('doctor-network'),
      SITE_URL_EN: 'https://en.localhost',
      SITE_URL_ZH: 'https://zh.localhost',
      SITE_URL_RU: 'http://ru.localhost',
    })
    expect(said(await checkHosts(settings))).toEqual([
      'note some use https and some do not',
      'note a proxy terminates https, but TRUST_PROXY=0: rate limits count all visitors as one',
    ])
  })
})

describe('Redis', () => {
  it.each([
    ['returns something else', 0, /^wrong does not return the value that was stored$/],
    ['is slow', 50, /^note takes \d{3,} ms for three commands; the site waits at most 100 ms$/],
  ])('that %s is reported', async (_name, delayMs, expected) => {
    // Replies to each command with what a correct server would reply to `GET` here, or with `OK`.
    const server = createServer((socket) => {
      socket
        .on('error', () => undefined)
        .on('data', (chunk) => {
          const commands = chunk
            .toString()
            .split(/^\*\d+\r\n/m)
            .slice(1)
          const replies = commands.map((text) =>
            delayMs > 0 && /^get\r$/im.test(text) ? 'x' : 'OK',
          )
          setTimeout(() => socket.write(replies.map((text) => `+${text}\r\n`).join('')), delayMs)
        })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const finding = await checkRedis(settingsOf({ REDIS_URL: `redis://127.0.0.1:${port}` }))
    expect(said([finding])).toEqual([expect.stringMatching(expected)])
    await new Promise((resolve) => server.close(resolve))
  })
})

describe('the machine', () => {
  const settings = settingsOf({})

  it('may be short of space for data', () => {
    const DATA_DIR = temporaryFolder('doctor-disk')
    const megabytes = (count: number) =>
      checkDisk({ DATA_DIR }, () => ({ bavail: count, bsize: 1024 * 1024 }))
    expect(said([megabytes(3000), megabytes(1000), megabytes(100)])).toEqual([
      `ok ${DATA_DIR}: 3000 MB free`,
      `note ${DATA_DIR}: 1000 MB free`,
      `wrong ${DATA_DIR}: 100 MB free`,
    ])
  })

  it('checks versions, clocks and memory', () => {
    const today = Date.parse('2026-11-22')
    expect([
      checkNode([], 'v20.20.2', today).level,
      checkNode([], 'v25.1.0', today).level,
      checkNode([], 'v24.21.0', today).level,
    ]).toEqual(['wrong', 'wrong', 'ok'])
    expect(checkNode([], 'v22.23.3', Date.parse('2027-05-01'))).toMatchObject({
      level: 'note',
      message: 'version v22.23.3: its support ended on 2027-04-30',
    })
    expect(
      checkNode([{ process: '7', role: 'content', version: 'v22.23.3' }], 'v24.21.0', today),
    ).toMatchObject({
      level: 'note',
      message: 'version v24.21.0 here, but process 7 (content) runs on v22.23.3',
    })
    expect(checkClock({ timestamp: 2000 }, [], 1000).level).toBe('wrong')
    expect(checkClock({ timestamp: 0 }, [{ name: 'x', offsetMs: -31_000 }], 1000)).toMatchObject({
      level: 'wrong',
      message: 'is 31 s ahead of that of x',
    })
    expect(checkClock({ timestamp: 0 }, [{ name: 'x', offsetMs: 900 }], 1000).level).toBe('ok')
    expect([
      checkMemory(settings, 1024 ** 3, 2).level,
      checkMemory(settings, 4 * 1024 ** 3, 2).level,
    ]).toEqual(['note', 'ok'])
  })
})
