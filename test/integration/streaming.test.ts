import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { readBuild } from '../../server/build-info'
import { readSettings } from '../../server/env'
import { createLogger } from '../../server/telemetry/logger'
import { startSite, type RunningSite } from '../../server/start-site'
import type { ViewModule } from '../../shared/view'
import { buildFolder, root } from '../../testing/root'
import { eventually, fetchFrom, seedContent, temporaryFolder } from '../../testing/site'

const path = '/blog/choosing-a-proxy-type'
let running: RunningSite
/** Delay of islands (ms). 0: none; negative: islands fail. */
let lateness = 0
let loads = 0
const lines: string[] = []

beforeAll(async () => {
  const data = seedContent(temporaryFolder('streaming'))
  mkdirSync(data, { recursive: true })
  running = await startSite({
    settings: readSettings({ PORT: '0', HOST: '127.0.0.1', DATA_DIR: data }, root),
    build: readBuild(buildFolder()),
    // The interface bundle that the server loads.
    view: jest.requireActual<ViewModule>(join(buildFolder(), 'server', 'view.js')),
    log: createLogger('error', { write: (line) => void lines.push(line) }),
    root,
    warming: null,
    wrapIslands: (load) => (name, props, locale, tags) => {
      loads += 1
      if (lateness === 0) return load(name, props, locale, tags)
      const wait = Math.abs(lateness)
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          if (lateness < 0) reject(new Error('the island broke'))
          else if (lateness === wait) resolve(load(name, props, locale, tags))
        }, wait)
        // The longest delay continues after its test has ended.
        timer.unref()
      })
    },
  })
}, 60_000)
afterAll(() => running.stop())

const fresh = (): void => void running.site.cache.purge(() => true)

/** Reads an answer in chunks, with the time of each. */
function chunks(port: number): Promise<{
  status: number
  headers: Record<string, unknown>
  parts: Array<{ at: number; text: string }>
}> {
  const started = Date.now()
  return new Promise((resolve, reject) => {
    request(
      { host: '127.0.0.1', port, path, headers: { host: `localhost:${port}` }, agent: false },
      (response) => {
        const parts: Array<{ at: number; text: string }> = []
        response.on('data', (chunk: Buffer) =>
          parts.push({ at: Date.now() - started, text: chunk.toString() }),
        )
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, parts }),
        )
      },
    )
      .on('error', reject)
      .end()
  })
}

describe('a page with late islands', () => {
  it('sends status, head, shell and data first, and the island later', async () => {
    fresh()
    lateness = 400
    const { status, headers, parts } = await chunks(running.port)
    const early = parts
      .filter(({ at }) => at < 300)
      .map(({ text }) => text)
      .join('')
    const all = parts.map(({ text }) => text).join('')
    expect(status).toBe(200)
    expect(early).toContain('<title>')
    expect(early).toContain('id="view"')
    expect(early).not.toContain('related-heading')
    expect(all).toContain('id="related-heading"')
    expect(all.trimEnd().endsWith('</html>')).toBe(true)
    expect(headers['cache-control']).toBe('private, no-store')
    expect(headers['etag']).toBeUndefined()
    const nonce = /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1] ?? 'none'
    expect(all).toContain(`nonce="${nonce}"`)
  })

  it('is stored without a nonce; hashes allow its inline scripts', async () => {
    const answer = await eventually(async () => {
      const found = await fetchFrom(running.port, path)
      expect(found.headers['cache-status']).toMatch(/^site; hit/)
      return found
    })
    const policy = String(answer.headers['content-security-policy'])
    expect(answer.body.endsWith('</html>\n')).toBe(true)
    expect(answer.body).not.toContain('nonce=')
    expect(policy).not.toContain('nonce-')
    const scripts = Array.from(
      answer.body.matchAll(/<script(?![^>]*type=)[^>]*>([^<]*)<\/script>/g),
      ([, text = '']) => text,
    )
    expect(scripts.length).toBeGreaterThan(2)
    for (const script of scripts)
      expect(policy).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`)
    expect(String(answer.headers['cache-control'])).toContain('s-maxage=60')
  })

  it('is complete at once when its islands are ready, with no inline scripts but theme and loader', async () => {
    fresh()
    lateness = 0
    const answer = await fetchFrom(running.port, path)
    expect(answer.headers['cache-status']).toBe('site; fwd=miss; stored')
    expect(answer.body).toContain('id="related-heading"')
    // Theme, view and loader. Data blocks for search engines are not scripts.
    expect(answer.body.match(/<script(?! type="application\/ld\+json")/g)?.length).toBe(3)
  })

  it('is aborted after 5 s and not stored', async () => {
    fresh()
    lateness = 30_000
    const started = Date.now()
    const { status } = await chunks(running.port)
    expect(status).toBe(200)
    expect(Date.now() - started).toBeGreaterThan(4500)
    expect(Date.now() - started).toBeLessThan(9000)
    lateness = 0
    expect((await fetchFrom(running.port, path)).headers['cache-status']).toBe(
      'site; fwd=miss; stored',
    )
  }, 20_000)

  it('is not stored when an island fails', async () => {
    fresh()
    lateness = -50
    await chunks(running.port)
    lateness = 0
    expect((await fetchFrom(running.port, path)).headers['cache-status']).toBe(
      'site; fwd=miss; stored',
    )
  })

  it('logs a failed island with the id of its request', async () => {
    fresh()
    lateness = -50
    await fetchFrom(running.port, path, { headers: { 'x-request-id': 'late-and-broken' } })
    lateness = 0
    const logged = lines.map(
      (line) => JSON.parse(line) as { id?: string; msg: string; err?: { message: string } },
    )
    expect(logged.find(({ id }) => id === 'late-and-broken')).toMatchObject({
      msg: 'a part of a page failed to render',
      err: { message: 'the island broke' },
    })
  })

  it('is not rendered further after the client has disconnected, and not stored', async () => {
    fresh()
    lateness = 600
    await new Promise<void>((resolve) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port: running.port,
          path,
          headers: { host: `localhost:${running.port}` },
          agent: false,
        },
        (response) => {
          response.once('data', () => sent.destroy())
          response.on('error', () => undefined)
          response.on('close', resolve)
        },
      )
      sent.on('error', () => resolve())
      sent.end()
    })
    await new Promise((resolve) => setTimeout(resolve, 900))
    expect(running.site.cache.stats().entries).toBe(0)
    lateness = 0
  })

  it('is rendered once for all waiting requests', async () => {
    fresh()
    // Longer than the time in which five requests arrive on a busy machine.
    lateness = 1500
    loads = 0
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => fetchFrom(running.port, path)),
    )
    lateness = 0
    expect(loads).toBe(1)
    expect(
      answers.filter(({ headers }) => headers['cache-status'] === 'site; fwd=miss; collapsed')
        .length,
    ).toBe(4)
    for (const { body } of answers) expect(body).toContain('id="related-heading"')
  })
})
