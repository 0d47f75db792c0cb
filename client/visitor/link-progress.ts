import type { LoadingBar } from './loading-bar'

type Options = { page: Window; bar: LoadingBar; /** Origins of the language hosts. */ origins: readonly string[] }

/** Whether a click makes this window leave its page for another one of the site. */
export function leavesFor(event: MouseEvent, page: Location, origins: readonly string[]): boolean {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
  // A download answers without a page: nothing would ever end the bar.
  if (!link || (link.target && link.target !== '_self') || link.hasAttribute('download') || link.dataset['action'] === 'download') return false
  const to = new URL(link.href)
  const samePage = to.origin === page.origin && to.pathname === page.pathname && to.search === page.search
  return origins.includes(to.origin) && !(samePage && to.href.includes('#'))
}

/** Starts the bar when a click leads to another page of the site; a page that comes back from the browser's memory ends it. */
export function startLinkProgress({ page, bar, origins }: Options): () => void {
  const clicked = (event: MouseEvent): void => {
    if (leavesFor(event, page.location, origins)) bar.start()
  }
  const shown = (event: PageTransitionEvent): void => {
    if (event.persisted) bar.finish()
  }
  page.addEventListener('click', clicked)
  page.addEventListener('pageshow', shown)
  return () => {
    page.removeEventListener('click', clicked)
    page.removeEventListener('pageshow', shown)
  }
}
