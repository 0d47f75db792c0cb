/**
 * How many events of visitors get lost: visits in Chromium that end as visits do (closed at any moment, reloaded, offline for a while, in two tabs),
 * against what is in the store afterwards. Prints, asserts nothing. `--visits 500 --devices 50 --seed 1 --together 4`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { ensureBrowser } from '../scripts/browser.mjs'
import { eventEmitted } from '../client/analytics/analytics'
import { report } from './report'
import { root, sleep, startSite, type Server } from './servers'

const option = (name: string, otherwise: number): number => {
  const place = process.argv.indexOf(`--${name}`)
  return place < 0 ? otherwise : Number(process.argv[place + 1])
}
const visits = option('visits', 500)
const devices = option('devices', Math.max(1, Math.round(visits / 10)))
const together = option('together', 4)
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
/** A visitor's tab sends what another tab has left behind after 15 s. */
const orphaned = 16_000
/** A visit that has not ended by then is one whose browser no longer answers; its tabs are closed, and it is counted. */
const longest = 90_000

/** Numbers that look random and are the same for a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}

type Tally = {
  visits: number
  reloads: number
  offline: number
  tabs: number
  navigations: number
  clicks: number
  stuck: number
}
const done: Tally = {
  visits: 0,
  reloads: 0,
  offline: 0,
  tabs: 0,
  navigations: 0,
  clicks: 0,
  stuck: 0,
}
/** Ids of all events that pages said they emitted, with kind and trigger. */
const emitted = new Map<string, string>()

/** Tells each emitted event twice over: at once, and in the browser's storage, should the page be gone before that is heard. */
async function watch(context: BrowserContext): Promise<void> {
  await context.exposeBinding(
    'tellEmitted',
    (_source, id: string, what: string) => void emitted.set(id, what),
  )
  await context.addInitScript((name) => {
    window.addEventListener(name, (event) => {
      const { id, kind, trigger } = (
        event as CustomEvent<{ id: string; kind: string; trigger: string }>
      ).detail
      const what = `${kind} ${trigger}`
      localStorage.setItem(`told:${id}`, what)
      ;(window as unknown as { tellEmitted: (id: string, what: string) => void }).tellEmitted(
        id,
        what,
      )
    })
  }, eventEmitted)
}

const quietly = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined)
/** A step that the browser may never answer: that of a page which is nowhere, since it left while it was offline. */
const atMost = <T>(milliseconds: number, work: Promise<T>, otherwise: T): Promise<T> =>
  Promise.race([work.catch(() => otherwise), sleep(milliseconds).then(() => otherwise)])

/** What somebody does on a page for a while: goes on to another, clicks, looks. */
async function look(page: Page, random: () => number): Promise<void> {
  for (let step = Math.floor(random() * 4); step > 0; step -= 1) {
    await sleep(random() * 900)
    if (random() < 0.5) {
      done.navigations += 1
      const links = page.locator('header a[href^="/"]:visible, main a[href^="/"]:visible')
      const count = await atMost(2000, links.count(), 0)
      if (count > 0)
        await quietly(
          links
            .nth(Math.floor(random() * Math.min(count, 12)))
            .click({ timeout: 1500, noWaitAfter: true }),
        )
    } else {
      done.clicks += 1
      await quietly(
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
    // Some are closed while they load.
    await quietly(
      page.goto(`${origin}${path}`, {
        waitUntil: random() < 0.2 ? 'commit' : 'load',
        timeout: 20_000,
      }),
    )
    return page
  }
  done.visits += 1
  const page = await open()
  const second = random() < 0.25 ? await open() : null
  if (second) done.tabs += 1
  await sleep(random() * 1500)
  await look(page, random)
  if (random() < 0.3) {
    done.reloads += 1
    await quietly(page.reload({ waitUntil: random() < 0.5 ? 'commit' : 'load', timeout: 20_000 }))
    await sleep(random() * 1500)
  }
  const offline = random() < 0.2
  if (offline) {
    done.offline += 1
    await context.setOffline(true)
    await look(page, random)
    await sleep(random() * 2500)
    if (random() < 0.5) await context.setOffline(false)
  }
  if (second) await look(second, random)
  await sleep(random() * 800)
  // A tab is closed, or another site is gone to in it.
  if (random() < 0.3) await quietly(page.goto('about:blank', { timeout: 5000 }))
  await atMost(5000, page.close(), undefined)
  if (second) await atMost(5000, second.close(), undefined)
  if (offline) await context.setOffline(false)
}

/** The device comes back once more, later, and stays a little: what was left behind is sent now. */
async function comeBack(context: BrowserContext, origin: string): Promise<void> {
  const page = await context.newPage()
  await quietly(page.goto(`${origin}/links`, { waitUntil: 'load', timeout: 30_000 }))
  const told = await atMost(
    10_000,
    page.evaluate(() =>
      Object.keys(localStorage)
        .filter((key) => key.startsWith('told:'))
        .map((key): [string, string] => [key.slice(5), localStorage.getItem(key) ?? '']),
    ),
    [],
  )
  for (const [id, what] of told) emitted.set(id, what)
  await quietly(
    page.waitForFunction(
      () => Object.keys(localStorage).filter((key) => key.startsWith('event:')).length <= 1,
      undefined,
      { timeout: 20_000, polling: 250 },
    ),
  )
  await atMost(5000, page.close(), undefined)
}

/** Ids in the store, and rows that say the same under two ids. */
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
  const began = performance.now()
  const perDevice = (device: number): number =>
    Math.floor(visits / devices) + (device < visits % devices ? 1 : 0)
  await Promise.all(
    Array.from({ length: together }, async () => {
      for (let device = next++; device < devices; device = next++) {
        const random = randomFrom(seed * 1000 + device)
        // A country where nobody is asked for consent.
        const context = await browser.newContext({
          extraHTTPHeaders: { 'X-Forwarded-For': `8.8.${device >> 8}.${device & 255}` },
        })
        contexts.push(context)
        await watch(context)
        for (let count = perDevice(device); count > 0; count -= 1) {
          const ended = await atMost(
            longest,
            visit(context, origin, random).then(() => true),
            false,
          )
          if (ended) continue
          done.stuck += 1
          await context.setOffline(false)
          for (const page of context.pages()) await atMost(5000, page.close(), undefined)
        }
      }
    }),
  )
  await sleep(orphaned)
  const atOnce = stored(folder).ids
  const soon = [...emitted.keys()].filter((id) => atOnce.has(id)).length
  const emittedSoon = emitted.size
  next = 0
  await Promise.all(
    Array.from({ length: together }, async () => {
      for (let context = contexts[next++]; context; context = contexts[next++])
        await comeBack(context, origin)
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
    `${done.visits} visits of ${devices} devices (seed ${seed}, ${Math.round((performance.now() - began) / 1000)} s): ${done.reloads} reloaded, ${done.offline} offline for a while, ${done.tabs} in two tabs, ${done.navigations} navigations, ${done.clicks} clicks; ${done.stuck} ended because the browser no longer answered`,
    `before the devices came back: ${soon} of ${emittedSoon} (${((100 * soon) / Math.max(1, emittedSoon)).toFixed(2)} %)`,
    `stored twice: ${[...ids.values()].filter((count) => count > 1).length} by id, ${twice} by what they say; stored but not announced: ${[...ids.keys()].filter((id) => !emitted.has(id)).length}`,
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
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
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
