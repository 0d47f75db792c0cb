import { prefetch as limits } from '../../shared/constants'
import type { PageAddress } from './payloads'

/** What the browser tells of the connection, where it does (Network Information API). */
export type Connection = { saveData?: boolean; effectiveType?: string }
type Options = {
  page: Window
  connection: () => Connection | undefined
  /** The page of this host and language that a link leads to, or null. */
  pageOf: (link: HTMLAnchorElement) => PageAddress | null
  hasPayload: (page: PageAddress) => boolean
  /** A link whose payload is here is about to be clicked: time to learn whether it is still good. */
  confirm: () => Promise<void>
  /** Fetches and keeps a payload; resolves to what loads the page's code, or null when that is here. Never rejects. */
  payload: (page: PageAddress) => Promise<(() => Promise<void>) | null>
}
export type Prefetch = {
  start: () => () => void
  /** Looks for the links of the page that has just been shown. */ rescan: () => void
}
type Job = { key: string; weight: number; run: () => Promise<void> }

/** Links in view that are fetched for one page: a list of hundreds must not cost what nobody will read. */
const perPage = 24
/** Code comes as a script and a style sheet: two requests. */
const codeWeight = 2
const idleTimeout = 2000

/** Not where it costs the visitor what he cannot afford (spec section 5). */
const isWelcome = (connection: Connection | undefined): boolean =>
  !connection?.saveData && !['slow-2g', '2g'].includes(connection?.effectiveType ?? '')

/**
 * Fetches payload and code of pages that the visitor will probably open: links in view while the browser is idle, the link
 * under pointer or focus before all others. At most four requests are out.
 */
export function createPrefetch({
  page,
  connection,
  pageOf,
  hasPayload,
  confirm,
  payload,
}: Options): Prefetch {
  let jobs: Job[] = []
  let out = 0
  let inView = 0
  const whenIdle = (run: () => void): void =>
    void ('requestIdleCallback' in page
      ? page.requestIdleCallback(run, { timeout: idleTimeout })
      : setTimeout(run, 0))

  function next(): void {
    for (;;) {
      const [job] = jobs
      if (!job || out + job.weight > limits.atOnce) return
      jobs.shift()
      out += job.weight
      void job.run().finally(() => {
        out -= job.weight
        next()
      })
    }
  }
  const payloadJob = (key: string, target: PageAddress): Job => ({
    key,
    weight: 1,
    async run() {
      const code = hasPayload(target) ? null : await payload(target)
      if (code) jobs.unshift({ key, weight: codeWeight, run: code })
    },
  })
  /** Whether the link's page has been put in the queue, or moved up in it. */
  function add(link: HTMLAnchorElement, first: boolean): boolean {
    const target = isWelcome(connection()) ? pageOf(link) : null
    if (!target || hasPayload(target)) return false
    const key = target.pathname + target.search
    const known = jobs.find((job) => job.key === key)
    if (known && !first) return false
    const job = known ?? payloadJob(key, target)
    const rest = jobs.filter((other) => other !== job)
    jobs = first ? [job, ...rest] : [...rest, job]
    next()
    return true
  }
  const meant = (event: Event): void => {
    const link =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
    if (!link || add(link, true)) return
    const target = pageOf(link)
    if (target && hasPayload(target)) void confirm()
  }
  const observer = new IntersectionObserver((entries) => {
    const links = entries.flatMap(({ isIntersecting, target }) =>
      isIntersecting && target instanceof HTMLAnchorElement ? [target] : [],
    )
    for (const link of links) observer.unobserve(link)
    whenIdle(() => {
      for (const link of links)
        if (link.isConnected && inView < perPage && add(link, false)) inView += 1
    })
  })
  const rescan = (): void => {
    observer.disconnect()
    jobs = []
    inView = 0
    if (isWelcome(connection()))
      for (const link of page.document.querySelectorAll<HTMLAnchorElement>('a[href]'))
        if (pageOf(link)) observer.observe(link)
  }
  const intents = ['pointerover', 'focusin', 'touchstart'] as const
  return {
    rescan,
    start() {
      for (const type of intents) page.document.addEventListener(type, meant, { passive: true })
      rescan()
      return () => {
        observer.disconnect()
        jobs = []
        for (const type of intents) page.document.removeEventListener(type, meant)
      }
    },
  }
}
