import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { createHitLog, type HitLine } from '../../../server/telemetry/access-log'
import { maskText } from '../../../server/telemetry/logged-path'
import { createLogger, logDestination, type Logger } from '../../../server/telemetry/logger'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { eventually } from '../../../testing/site'

const hit: HitLine = {
  id: 'abcd-1234',
  method: 'GET',
  host: 'localhost:3000',
  path: '/pricing',
  route: 'pricing',
  locale: 'en',
  status: 200,
  durationMs: 0.0516,
  bytes: 13_724,
}
const cases: readonly HitLine[] = [
  hit,
  { ...hit, durationMs: 12 },
  { ...hit, locale: '' },
  { ...hit, method: 'HEAD', status: 304 },
  { ...hit, path: '/', host: '[::1]:80' },
  { ...hit, path: '/no"such\\page\u2028\t<é>', status: 404 },
  { ...hit, path: '/Pricing"', status: 301 },
  { ...hit, path: '/ a\u0001', status: 302 },
  { ...hit, path: '/old/"', status: 308 },
]

/** The lines that a logger writes for all cases; the time is replaced. */
function linesOf(make: (write: (line: string) => void) => Logger): string[] {
  const lines: string[] = []
  const log = createHitLog(make((line) => lines.push(line)))
  for (const line of cases) log?.write(line)
  return lines.map((line) =>
    line.replace(/"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/, '"time":"T"'),
  )
}

describe('the log line of a cached answer', () => {
  const template = linesOf((write) => createLogger('info', { write }))

  it('equals, byte for byte, the line that pino writes for a logger with an unknown destination', () => {
    const { pid } = process
    const options = {
      level: 'info',
      base: { pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level: string) => ({ level }) },
    }
    expect(template).toEqual(linesOf((write) => pino(options, { write })))
    expect(template).toHaveLength(cases.length)
  })

  it('is JSON with the request and its answer', () => {
    expect(template.map((line) => (JSON.parse(line) as { path: string }).path)).toEqual(
      cases.map(({ path }) => path),
    )
    expect(JSON.parse(template[0] ?? '')).toMatchObject({
      msg: 'request',
      cache: 'hit',
      duration: 0.1,
      locale: 'en',
      pid: process.pid,
    })
  })

  it('is not written when the log level leaves it out', () => {
    expect(createHitLog(createLogger('warn', { write: () => undefined }))).toBeNull()
  })
})

describe('the log line of an error', () => {
  it.each([
    ['no account of zelda@mail.test', 'no account of …'],
    [
      "ENOENT: no such file, stat '/srv/zelda%40mail.test.png'",
      "ENOENT: no such file, stat '/srv/…'",
    ],
    ['Key (email)=(zelda@mail.test) already exists.', 'Key (email)=(…) already exists.'],
    ['/_preview/eyJ.c2ln failed', '/_preview/… failed'],
    ['at /srv/node_modules/@scope/name/a.js:1:2', 'at /srv/node_modules/@scope/name/a.js:1:2'],
  ])('holds "%s" as "%s"', (text, logged) => {
    const lines: string[] = []
    const log = createLogger('info', { write: (line) => void lines.push(line) })
    log.error({ err: Object.assign(new Error(text), { detail: text }) }, 'a request failed')
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      err: { message: logged, detail: logged, stack: expect.stringContaining(logged) },
    })
    expect(lines[0]).not.toContain('zelda')
  })
})

describe('the text of an error', () => {
  it.each([
    ['no user ada@example.com', 'no user …'],
    ['GET /_preview/e30.signature failed', 'GET /_preview/… failed'],
    // It could be an address: only so many encodings are undone.
    [`no user %${'25'.repeat(8)}41`, 'no user …'],
    ['nothing to hide', 'nothing to hide'],
  ])('%s is logged as %s', (text, logged) => {
    expect(maskText(text)).toBe(logged)
    const lines: string[] = []
    const log = createLogger('info', { write: (line) => void lines.push(line) })
    log.error({ err: new Error(text) }, 'failed')
    expect((JSON.parse(lines[0] ?? '') as { err: { message: string } }).err.message).toBe(logged)
  })
})

it('lines of a crash are written when the log file was moved away before', async () => {
  const file = join(temporaryFolder('log'), 'site.log')
  const log = createLogger('info', logDestination(file))
  log.info('started')
  await eventually(() => expect(readFileSync(file, 'utf8')).toContain('started'))
  renameSync(file, `${file}.1`)
  log.fatal('the process crashed')
  expect(readFileSync(`${file}.1`, 'utf8')).toContain('the process crashed')
})
