import { prefetch } from '../../shared/constants'
import { addressOf } from './history-entry'
import type { PageAddress } from './payload-cache'
import { createPrefetchQueue, type PrefetchJob } from './prefetch-queue'

type Options = {
  window: Window
  /** The page of this host and language that a link leads to; null for other links. */
  pageOf: (link: HTMLAnchorElement) => PageAddress | null
  hasPayload: (page: PageAddress) => boolean
  /** Whether the payload is young enough for a click, which then needs no request. */
  isPayloadFresh: (page: PageAddress) => boolean
  /** Finds out whether a later build is deployed. */
  confirmBuild: () => Promise<void>
  /**
   * Fetches and caches a payload. Resolves to a function that loads the code of the page, or to
   * null when that is loaded already. Never rejects.
   */
  fetchPayload: (page: PageAddress) => Promise<(() => Promise<void>) | null>
}
type LinkPrefetch = {
  start: () => () => void
  /** Observes the links of the page that has just been shown. */
  rescan: () => void
}

/**
 * Visible links fetched for one page: a list of hundreds must not fetch pages that few will open.
 */
const maxVisibleLinks = 24
/** The code of a page is a script and a style sheet. */
const codeRequests = 2
const idleTimeoutMs = 2000
/** Events on a link that is likely to be clicked next. */
const intentEvents = ['pointerover', 'focusin', 'touchstart'] as const

/** Prefetching is off on slow connections and with data saver (spec 7.2). */
const isAllowed = ({ connection }: Navigator): boolean =>
  !connection?.saveData && !['slow-2g', '2g'].includes(connection?.effectiveType ?? '')

function whenIdle(window: Window, run: () => void): void {
  // Safari has no `requestIdleCallback`.
  if ('requestIdleCallback' in window) window.requestIdleCallback(run, { timeout: idleTimeoutMs })
  else setTimeout(run, 0)
}

/**
 * Fetches payload and code of pages that the visitor will probably open: visible links while the
 * browser is idle, a link under the pointer or with focus before all others. At most four requests
 * at once.
 */
export function createLinkPrefetch(options: Options): LinkPrefetch {
  const { window, pageOf, hasPayload, isPayloadFresh } = options
  const { document, navigator } = window
  const queue = createPrefetchQueue(prefetch.maxConcurrent)
  let queuedVisibleLinks = 0

  const createJob = (key: string, page: PageAddress): PrefetchJob => ({
    key,
    requests: 1,
    async run() {
      const loadCode = isPayloadFresh(page) ? null : await options.fetchPayload(page)
      if (loadCode) queue.put({ key, requests: codeRequests, run: loadCode }, true)
    },
  })
  /**
   * Returns whether the page of the link was queued, or moved to the front of the queue. An older
   * payload is fetched again only for the link that is likely to be clicked.
   */
  function enqueue(link: HTMLAnchorElement, first: boolean): boolean {
    const page = isAllowed(navigator) ? pageOf(link) : null
    if (!page || (first ? isPayloadFresh(page) : hasPayload(page))) return false
    const key = addressOf(page)
    const queued = queue.find(key)
    if (queued && !first) return false
    queue.put(queued ?? createJob(key, page), first)
    return true
  }
  const onIntent = ({ target }: Event): void => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
    if (!link || enqueue(link, true)) return
    const page = pageOf(link)
    // A cached payload cannot tell that a later build is deployed, so the click asks for the build.
    if (page && isPayloadFresh(page)) void options.confirmBuild()
  }
  const observer = new IntersectionObserver((entries) => {
    const links = entries.flatMap(({ isIntersecting, target }) =>
      isIntersecting && target instanceof HTMLAnchorElement ? [target] : [],
    )
    for (const link of links) observer.unobserve(link)
    whenIdle(window, () => {
      for (const link of links)
        if (link.isConnected && queuedVisibleLinks < maxVisibleLinks && enqueue(link, false))
          queuedVisibleLinks += 1
    })
  })
  function rescan(): void {
    observer.disconnect()
    queue.clear()
    queuedVisibleLinks = 0
    if (!isAllowed(navigator)) return
    for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href]'))
      if (pageOf(link)) observer.observe(link)
  }
  return {
    rescan,
    start() {
      for (const type of intentEvents) document.addEventListener(type, onIntent, { passive: true })
      rescan()
      return () => {
        observer.disconnect()
        queue.clear()
        for (const type of intentEvents) document.removeEventListener(type, onIntent)
      }
    },
  }
}
