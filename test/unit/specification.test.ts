import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { calls } from '../../server/api/calls'
import { siteConfigSchema } from '../../server/content/site-config'
import { retention } from '../../server/db/prune'
import { catalogue } from '../../server/errors'
import { createHttpServer } from '../../server/http/http-server'
import * as constants from '../../shared/constants'
import { collections } from '../../shared/front-matter'
import { allLocales } from '../../shared/i18n/locales'
import { productSchema } from '../../shared/product-schema'
import { allowedWidths } from '../../shared/images'
import { industries } from '../../shared/routes/availability'
import { nav } from '../../shared/routes/nav'
import { routes } from '../../shared/routes/table'
import { root } from '../../testing/root'

const {
  analytics,
  buildFreshness,
  chat,
  chunkReload,
  errorScreen,
  images,
  imageLimits,
  loadingBar,
  oneTap,
  pages,
  prefetch,
  rates,
  scroll,
  search,
  signIn,
  signupBanner,
  toast,
  tooltip,
  upstream,
} = constants

const text = readFileSync(join(root, 'docs', 'specification.md'), 'utf8')

/** The lines below a heading, up to the next one. */
function section(number: string): string[] {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => new RegExp(`^#+ ${number} `).test(line))
  const end = lines.findIndex((line, index) => index > start && line.startsWith('#'))
  return lines.slice(start + 1, end === -1 ? undefined : end)
}

/** The rows of all tables of a section, without head rows and backticks. */
const rows = (number: string): string[][] =>
  section(number)
    .filter((line, index, lines) => line.startsWith('|') && !/^\| -/.test(lines[index + 1] ?? ''))
    .filter((line) => !/^\| -/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    )

/** A paragraph or list item that begins so, on one line, without line breaks. */
function sentence(number: string, beginning: string): string {
  const all = section(number).join(' ').replace(/\s+/g, ' ')
  const start = all.indexOf(beginning)
  expect([beginning, start]).not.toEqual([beginning, -1])
  return all.slice(start + beginning.length).split('. ')[0] ?? ''
}
const names = (list: string): string[] =>
  list
    .replace(/[.`]/g, '')
    .split(/, | and /)
    .map((name) => name.trim())

const seconds = (ms: number): string => `${ms / 1000} s`
const count = (value: number): string => value.toLocaleString('en-US')

describe('tables of the specification equal the code', () => {
  it('1.2: languages', () => {
    expect(rows('1.2')).toEqual(
      allLocales.map(({ code, iso, domain, prefix, aliases, fallback }) => [
        code,
        iso,
        domain,
        prefix || 'none',
        aliases.map((alias) => `/${alias}`).join(' '),
        fallback.filter((other) => other !== code).join(', then '),
      ]),
    )
  })

  it('2.2: settings and their defaults', () => {
    const specified = rows('2.2').flatMap(([variables = '', defaults = '']) => {
      const values = defaults.split(', ')
      return variables
        .split(', ')
        .map((name, index) => [name, values[index] ?? values[0] ?? ''] as const)
    })
    // Defaults that the site computes at start.
    const computed = /^(?:http:\/\/.*localhost:PORT|file:DATA_DIR\/site\.db|empty)$/
    // It holds the settings of `server/env.ts`.
    const example = readFileSync(join(root, '.env.example'), 'utf8')
    const built = [...example.matchAll(/^([A-Z_]+)=(.*)$/gm)]
      .filter(([, name = '']) => !name.startsWith('OTEL_'))
      .map(
        ([, name = '', value = '']) =>
          [name, value.includes('google') ? "Google's" : value] as const,
      )
    expect(
      new Map(specified.map(([name, value]) => [name, computed.test(value) ? '' : value])),
    ).toEqual(new Map(built))
  })

  it('5.1: routes, their patterns and guards', () => {
    const sort = (list: string[][]): string[][] =>
      list.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
    expect(
      sort(
        rows('5.1').map(([id = '', pattern = '', page = '', guard = '']) => [
          id,
          pattern,
          guard,
          /list$/.test(page) ? 'page' : '',
          /(plain|bare) shell/.exec(page)?.[1] ?? 'full',
          page.startsWith('never a page') ? 'redirects' : '',
        ]),
      ),
    ).toEqual(
      sort(
        routes.map(({ id, pattern, guard = '', query = [], meta, redirects }) => [
          id,
          pattern,
          guard,
          query.join(),
          meta?.shell ?? 'full',
          redirects ? 'redirects' : '',
        ]),
      ),
    )
  })

  it('5.1: extra route meta', () => {
    const [, names = ''] =
      /extra route meta has the form `{(.*?)}`/.exec(
        section('5.1').join(' ').replace(/\s+/g, ' '),
      ) ?? []
    expect([...new Set(routes.flatMap(({ meta = {} }) => Object.keys(meta)))].sort()).toEqual(
      names.split(', ').sort(),
    )
  })

  it('5.2: fixed ids', () => {
    const listed = (beginning: string): string[] => names(sentence('5.2', beginning)).sort()
    const written = (folder: string): string[] => readdirSync(join(root, 'content', folder)).sort()
    expect(listed('Solutions: ')).toEqual(written('solutions'))
    expect(listed('Features: ')).toEqual(written('features'))
    expect(listed('Alternatives: ')).toEqual(written('alternatives'))
    expect(listed('Industries (content ids): ')).toEqual(written('industries'))
    expect(listed('Industries (content ids): ')).toEqual(industries.map(({ id }) => id).sort())
    expect(written('docs')).toEqual(
      expect.arrayContaining(names(sentence('5.2', 'Documentation always has '))),
    )
    for (const { key } of Object.values(nav).flat()) expect(key).toMatch(/^NAVBAR_/)
  })

  it('6.5: calls, their rate limits and caching', () => {
    expect(
      rows('6.5')
        .map(([call = '', limit = '', , caching = 'no-store']) => [
          call,
          limit.replace('-', ''),
          caching,
        ])
        .sort(),
    ).toEqual(
      calls
        .map(({ method, path, rateLimit, cacheControl = 'no-store' }) => [
          `${method} ${path}`,
          rateLimit,
          cacheControl,
        ])
        .sort(),
    )
  })

  it('6.11: times of the API proxy', () => {
    const [connect, first, whole] = [
      upstream.connectTimeoutMs,
      upstream.firstByteTimeoutMs,
      upstream.responseTimeoutMs,
    ].map(seconds)
    const said = section('6.11').join(' ').replace(/\s+/g, ' ')
    expect(said).toContain(
      `Time: ${connect} to connect, ${first} to the first byte, ${whole} until an answer that is held back is complete. A streaming answer may be silent for ${seconds(upstream.idleTimeoutMs)}.`,
    )
  })

  it('10.1: connections that are silent', () => {
    const { server } = createHttpServer(
      () => undefined,
      () => undefined,
      () => false,
    )
    expect(rows('10.1')).toContainEqual([
      `a connection silent for ${seconds(server.timeout)}`,
      'connection closed',
    ])
  })

  it('6.10: collections', () => {
    expect(names(sentence('6.10', 'Collections: ')).sort()).toEqual([...collections].sort())
  })

  it.each([
    ['8.4', `at most ${constants.sharedCache.maxAnswerBytes / 1024} KiB each`],
    ['9.1', `a part holds ${count(constants.sitemaps.maxUrlsPerPart)} URLs`],
    ['9.1', `(${constants.sitemaps.maxKeptBytes / 1024 ** 2} MiB in all)`],
    ['9.5', `the ${constants.feeds.maxEntries} newest articles`],
    ['9.6', `\`q\`: 1 to ${search.maxQueryLength} characters`],
    ['9.6', `\`limit\`: 1 to ${search.maxHits}, default ${search.defaultHits}`],
    ['9.6', `${search.maxQueued} may wait in all`],
    ['10.1', `addresses take turns, each with at most ${constants.socialPicture.maxInFlight}`],
    ['5.6', `A list shows ${constants.listPageSize} entries.`],
  ])('%s: %s', (number, said) => {
    expect(section(number).join(' ').replace(/\s+/g, ' ')).toContain(said)
  })

  it('9.7: fields of site.yaml', () => {
    expect(
      rows('9.7')
        .flatMap(([fields = '']) => names(fields))
        .sort(),
    ).toEqual(Object.keys(siteConfigSchema.shape).sort())
  })

  it('9.8: fields of product.yaml', () => {
    expect(
      rows('9.8')
        // A row may continue on a second line.
        .flatMap(([fields = '']) => (fields === '' ? [] : names(fields)))
        .sort(),
    ).toEqual(Object.keys(productSchema.shape).sort())
    expect(productSchema.parse({}).paid_months_per_year).toBe(12)
  })

  it('10.3: errors', () => {
    expect(rows('10.3').map(([name = '', status, code]) => [name, status, code])).toEqual(
      expect.arrayContaining(
        Object.entries(catalogue).map(([name, { status, code }]) => [
          name,
          String(status),
          String(code),
        ]),
      ),
    )
    expect(rows('10.3')).toHaveLength(Object.keys(catalogue).length)
  })

  it('12.1: cookies', () => {
    expect(rows('12.1').map(([name, days]) => [name, Number(days)])).toEqual(
      expect.arrayContaining(
        Object.values(constants.cookies).map(({ name, maxAgeSeconds }) => [
          name,
          maxAgeSeconds / 86_400,
        ]),
      ),
    )
    expect(rows('12.1')).toHaveLength(Object.keys(constants.cookies).length)
  })

  it.each([
    [
      'loading bar: throttle, ease, hide, reset',
      `${[loadingBar.throttleMs, loadingBar.durationMs, loadingBar.hideDelayMs, loadingBar.resetDelayMs].map(count).join(', ')} ms; height ${loadingBar.heightPx} px`,
    ],
    [
      'sign-up banner: first, again',
      `${seconds(signupBanner.appearAfterMs)}, ${seconds(signupBanner.reappearAfterMs)}; closing zone ${signupBanner.closeZoneRatio * 100} %`,
    ],
    ['chat polling', `${chat.pollIntervalMs} ms, ${count(chat.maxPolls)} ticks`],
    ['chat: idle before loading', seconds(chat.idleDelayMs)],
    [
      'one-tap: prompt, polling, end',
      `${seconds(oneTap.promptDelayMs)}, ${oneTap.pollIntervalMs} ms, ${oneTap.pollTimeoutMs / 60_000} min`,
    ],
    ['toast', seconds(toast.displayMs)],
    ['tooltip', `${seconds(tooltip.delayMs)}; ${tooltip.maxWidthPx} px`],
    ['scroll handler', `${scroll.throttleMs} ms`],
    ['error countdown', `${errorScreen.countdownSeconds} s`],
    ['chunk reload guard', seconds(chunkReload.guardMs)],
    ['prefetch', `${prefetch.maxConcurrent} at once`],
    ['payloads in the client', `${prefetch.ttlMs / 3_600_000} hour, ${prefetch.maxEntries}`],
    ['payload as redirect look-up', seconds(prefetch.lookUpMs)],
    ['build polling', `${buildFreshness.pollIntervalMs / 60_000} min`],
    [
      'render; pause after a failed renewal',
      `${seconds(pages.renderTimeoutMs)}; ${seconds(pages.renewalPauseMs)}`,
    ],
    ['stale answers', `${pages.staleSeconds / 3600} hours`],
    ['nonce, one-time token', `${seconds(signIn.nonceTtlMs)}, ${seconds(signIn.tokenTtlMs)}`],
    [
      'upstream: connect, first byte, whole',
      [upstream.connectTimeoutMs, upstream.firstByteTimeoutMs, upstream.responseTimeoutMs]
        .map(seconds)
        .join(', '),
    ],
    [
      'base info of a backend; after a failure',
      `${seconds(upstream.refreshIntervalMs)}; ${seconds(upstream.retryDelayMs)}`,
    ],
    ['Redis: answer, probe', `${rates.redisTimeoutMs} ms, ${seconds(rates.redisProbeIntervalMs)}`],
    ['search: pause while typing', `${search.debounceMs} ms`],
  ])('12.2: %s', (what, value) => {
    expect(rows('12.2').find(([name]) => name === what)).toEqual([what, value])
  })

  it('12.2: statuses on which a request is repeated', () => {
    expect(
      sentence('12.2', 'Statuses on which an idempotent request is repeated once: '),
    ).toContain(constants.fetchRetryStatuses.join(', '))
  })

  it('12.3: analytics', () => {
    const { operations, errorTypes } = analytics
    const kib = (bytes: number): string => `${bytes / 1024} KiB`
    expect(section('12.3').join(' ').replace(/\s+/g, ' ').trim()).toBe(
      [
        `Batch: ${analytics.batchSize} events or ${kib(analytics.maxBatchBytes)}.`,
        `Send delay ${seconds(analytics.sendDelayMs)}, longest retry ${seconds(analytics.maxRetryDelayMs)}.`,
        `Kept: ${analytics.maxStoredEvents} events, ${kib(analytics.maxStoredChars)}.`,
        `Errors: ${analytics.maxErrorsPerPage} a page.`,
        `Exposure threshold ${analytics.exposureThreshold * 100} %.`,
        `Operations: click ${operations.click}, view ${operations.view}, expose ${operations.expose}, error ${operations.error}.`,
        `Error types: ${errorTypes.resource} resource, ${errorTypes.script} script, ${errorTypes.rejection} rejection.`,
        `Raw events are kept ${daysOf('events')} days, fingerprints ${daysOf('fingerprints')} days.`,
      ].join(' '),
    )
  })

  it('12.4: images', () => {
    const mb = (bytes: number): number => bytes / 1024 ** 2
    expect(sentence('12.4', 'Densities ')).toBe(
      `${images.densities.join(' and ')}; quality ${images.quality}; formats ${images.formats.join(' and ')}; lazy loading by default; a placeholder is shown when a picture fails`,
    )
    expect(sentence('12.4', 'Listed widths (each breakpoint at both densities): ')).toBe(
      allowedWidths.join(', '),
    )
    expect(sentence('12.4', 'Sources: ')).toBe(
      `${mb(imageLimits.maxSourceBytes)} MB, ${imageLimits.maxPixels / 1e6} megapixels, SVG ${mb(imageLimits.maxVectorBytes)} MB`,
    )
    expect(sentence('12.4', 'Results: ')).toBe(
      `${mb(imageLimits.maxDiskBytes) / 1024} GB on disk, ${mb(imageLimits.maxMemoryBytes)} MB in memory`,
    )
    expect(section('12.4').join(' ')).toContain(
      `${imageLimits.maxQueued} encodes may wait, ${seconds(imageLimits.maxQueueWaitMs)} at most; an encode has ${seconds(imageLimits.encodeTimeoutMs)}. ${imageLimits.maxConcurrentFetches} remote fetches at once, ${seconds(imageLimits.fetchTimeoutMs)} each, kept for one hour.`,
    )
    expect(imageLimits.remoteTtlMs).toBe(3_600_000)
  })

  it('12.5: breakpoints and currencies', () => {
    expect(sentence('12.5', 'Breakpoints in px: ')).toContain(
      Object.entries(constants.breakpoints)
        .map(([name, px]) => `${name} ${px}`)
        .join(', '),
    )
    expect(rows('12.5').map(([currency, symbol, side]) => [currency, symbol, side])).toEqual(
      Object.entries(constants.currencies).map(([currency, { symbol, side }]) => [
        currency,
        symbol,
        side,
      ]),
    )
    expect(constants.defaultCurrency).toBe('USD')
  })
})

function daysOf(table: keyof typeof retention): number {
  const rule = retention[table]
  if (rule === 'always') throw new Error(`${table} is kept for ever`)
  return rule.days
}
