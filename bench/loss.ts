/**
 * Measures how many analytics events are lost: runs visits in Chromium that close at any moment,
 * reload, go offline or use two tabs, and compares the emitted events with the stored ones. Prints
 * figures and has no target. `--visits 500 --devices 50 --seed 1 --together 4`
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { ensureBrowser } from '../scripts/browser.mjs'
import { eventEmittedEvent } from '../client/analytics/analytics'
import { chromiumArguments } from '../testing/chromium-arguments'
import { seededRandom } from '../testing/seeded-random'
import { report } from './report'
import { root, startSite, type Server } from './servers'

const option = (name: string, fallback: number): number => {
  const position = process.argv.indexOf(`--${name}`)
  return position < 0 ? fallback : Number(process.argv[position + 1])
}
const visits = option('visits', 500)
const devices = option('devices', Math.max(1, Math.round(visits / 10)))
const concurrency = option('together', 4)
const paths = [
  '/',
  '/pricing',
  '/download',
  '/faq',
  '/blog',
  '/docs/profiles',
  '/es',
  '/es/pricing',
  '/fr',
  '/solutions',
]
/** An open tab sends the events of a closed tab after 15 s. */
const orphanedEventsMs = 16_000
/**
 * After this time the browser is considered hung: the visit is counted as stuck and its tabs close.
 */
const visitTimeoutMs = 90_000

type Tally = {
  visits: number
  reloads: number
  offline: number
  tabs: number
  navigations: number
  clicks: number
  stuck: number
}
const tally: Tally = {
  visits: 0,
  reloads: 0,
  offline: 0,
  tabs: 0,
  navigations: 0,
  clicks: 0,
  stuck: 0,
}
/** Events that pages reported as emitted: kind and trigger by id. */
const emitted = new Map<string, string>()

/**
 * Records each emitted event twice: through a binding, and in localStorage in case the page closes
 * before the binding is called.
 */
async function recordEmitted(context: BrowserContext): Promise<void> {
  await context.exposeBinding(
    'reportEmitted',
    (_source, id: string, what: string) => void emitted.set(id, what),
  )
  await context.addInitScript((name) => {
    window.addEventListener(name, (event) => {
      const { id, kind, trigger } = (
        event as CustomEvent<{ id: string; kind: string; trigger: string }>
      ).detail
      const what = `${kind} ${trigger}`
      localStorage.setItem(`emitted:${id}`, what)
      ;(window as unknown as { reportEmitted: (id: string, what: string) => void }).reportEmitted(
        id,
        what,
      )
    })
  }, eventEmittedEvent)
}

const ignoreErrors = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined)
/**
 * Limits the time of a browser call. Calls on a page that navigated while offline may never finish.
 */
const withTimeout = <T>(timeoutMs: number, work: Promise<T>, fallback: T): Promise<T> =>
  Promise.race([work.catch(() => fallback), sleep(timeoutMs).then(() => fallback)])

/** Simulates a visitor on a page: up to three steps, each a navigation or a click after a pause. */
async function browse(page: Page, random: () => number): Promise<void> {
  for (let step = Math.floor(random() * 4); step > 0; step -= 1) {
    await sleep(random() * 900)
    if (random() < 0.5) {
      tally.navigations += 1
      const links = page.locator('header a[href^="/"]:visible, main a[href^="/"]:visible')
      const count = await withTimeout(2000, links.count(), 0)
      if (count > 0)
        await ignoreErrors(
          links
            .nth(Math.floor(random() * Math.min(count, 12)))
            .click({ timeout: 1500, noWaitAfter: true }),
        )
    } else {
      tally.clicks += 1
      await ignoreErrors(
        page
          .locator('summary:visible, button:visible')
          .first()
          .click({ timeout: 1000, noWaitAfter: true }),
      )
    }
  }
}

/** One visit of a device, from opening to closing. */
async function visit(context: BrowserContext, origin: string, random: () => number): Promise<void> {
  const open = async (): Promise<Page> => {
    const page = await context.newPage()
    const path = paths[Math.floor(random() * paths.length)] ?? '/'
    // Some pages are left before they have loaded.
    await ignoreErrors(
      page.goto(`${origin}${path}`, {
        waitUntil: random() < 0.2 ? 'commit' : 'load',
        timeout: 20_000,
      }),
    )
    return page
  }
  tally.visits += 1
  const page = await open()
  const second = random() < 0.25 ? await open() : null
  if (second) tally.tabs += 1
  await sleep(random() * 1500)
  await browse(page, random)
  if (random() < 0.3) {
    tally.reloads += 1
    await ignoreErrors(
      page.reload({ waitUntil: random() < 0.5 ? 'commit' : 'load', timeout: 20_000 }),
    )
    await sleep(random() * 1500)
  }
  const offline = random() < 0.2
  if (offline) {
    tally.offline += 1
    await context.setOffline(true)
    await browse(page, random)
    await sleep(random() * 2500)
    if (random() < 0.5) await context.setOffline(false)
  }
  if (second) await browse(second, random)
  await sleep(random() * 800)
  // Some visits end with a navigation to another site, the others with closing the tab.
  if (random() < 0.3) await ignoreErrors(page.goto('about:blank', { timeout: 5000 }))
  await withTimeout(5000, page.close(), undefined)
  if (second) await withTimeout(5000, second.close(), undefined)
  if (offline) await context.setOffline(false)
}

/** Opens the site once more on a device, so that events left in its storage are sent. */
async function revisit(context: BrowserContext, origin: string): Promise<void> {
  const page = await context.newPage()
  await ignoreErrors(page.goto(`${origin}/links`, { waitUntil: 'load', timeout: 30_000 }))
  const saved = await withTimeout(
    10_000,
    page.evaluate(() =>
      Object.keys(localStorage)
        .filter((key) => key.startsWith('emitted:'))
        .map((key): [string, string] => [
          key.slice('emitted:'.length),
          localStorage.getItem(key) ?? '',
        ]),
    ),
    [],
  )
  for (const [id, what] of saved) emitted.set(id, what)
  await ignoreErrors(
    page.waitForFunction(
      () => Object.keys(localStorage).filter((key) => key.startsWith('event:')).length <= 1,
      undefined,
      { timeout: 20_000, polling: 250 },
    ),
  )
  await withTimeout(5000, page.close(), undefined)
}

/**
 * Counts of stored events by id, and the number of rows that repeat another row under another id.
 */
function stored(folder: string): { ids: Map<string, number>; twice: number } {
  const database = new Database(join(folder, 'site.db'), { readonly: true })
  try {
    const rows = database
      .prepare('SELECT id, count(*) AS n FROM events GROUP BY id')
      .all() as Array<{ id: string; n: number }>
    const { twice } = database
      .prepare(
        'SELECT count(*) - count(DISTINCT ts || kind || device_id || url || data) AS twice FROM events',
      )
      .get() as { twice: number }
    return { ids: new Map(rows.map(({ id, n }) => [id, n])), twice }
  } finally {
    database.close()
  }
}

async function run(browser: Browser, site: Server, folder: string): Promise<void> {
  const origin = `http://localhost:${site.port}`
  const seed = option('seed', 1)
  const contexts: BrowserContext[] = []
  let next = 0
  const startedAt = performance.now()
  const visitsOf = (device: number): number =>
    Math.floor(visits / devices) + (device < visits % devices ? 1 : 0)
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let device = next++; device < devices; device = next++) {
        const random = seededRandom(seed * 1000 + device)
        // An address in a country where consent is not required.
        const context = await browser.newContext({
          extraHTTPHeaders: { 'X-Forwarded-For': `8.8.${device >> 8}.${device & 255}` },
        })
        contexts.push(context)
        await recordEmitted(context)
        for (let count = visitsOf(device); count > 0; count -= 1) {
          const ended = await withTimeout(
            visitTimeoutMs,
            visit(context, origin, random).then(() => true),
            false,
          )
          if (ended) continue
          tally.stuck += 1
          await context.setOffline(false)
          for (const page of context.pages()) await withTimeout(5000, page.close(), undefined)
        }
      }
    }),
  )
  await sleep(orphanedEventsMs)
  const storedBefore = stored(folder).ids
  const arrivedBefore = [...emitted.keys()].filter((id) => storedBefore.has(id)).length
  const emittedBefore = emitted.size
  next = 0
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let context = contexts[next++]; context; context = contexts[next++])
        await revisit(context, origin)
    }),
  )
  await sleep(2000)
  const { ids, twice } = stored(folder)
  const kinds = [...new Set(emitted.values())].sort()
  const rows = ['all', ...kinds].map((kind) => {
    const all = [...emitted].filter(([, of]) => kind === 'all' || of === kind).map(([id]) => id)
    const arrived = all.filter((id) => ids.has(id)).length
    return {
      kind,
      emitted: all.length,
      stored: arrived,
      lost: all.length - arrived,
      'arrived %': all.length > 0 ? Number(((100 * arrived) / all.length).toFixed(2)) : 0,
    }
  })
  report('loss', rows, [
    `${tally.visits} visits of ${devices} devices (seed ${seed}, ${Math.round((performance.now() - startedAt) / 1000)} s): ${tally.reloads} reloaded, ${tally.offline} offline for a while, ${tally.tabs} in two tabs, ${tally.navigations} navigations, ${tally.clicks} clicks; ${tally.stuck} ended because the browser no longer answered`,
    `before the devices revisited: ${arrivedBefore} of ${emittedBefore} (${((100 * arrivedBefore) / Math.max(1, emittedBefore)).toFixed(2)} %)`,
    `stored twice: ${[...ids.values()].filter((count) => count > 1).length} by id, ${twice} by content; stored but not reported as emitted: ${[...ids.keys()].filter((id) => !emitted.has(id)).length}`,
  ])
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'site-loss-'))
  const site = await startSite({
    DATA_DIR: folder,
    TRUST_PROXY: '1',
    RATE_EVENTS: '1000000',
    RATE_OTHER: '1000000',
  })
  const browser = await chromium.launch({
    executablePath: ensureBrowser(root),
    args: [...chromiumArguments],
  })
  try {
    await run(browser, site, folder)
  } finally {
    await browser.close()
    await site.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

void main()
