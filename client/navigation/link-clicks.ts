import { followedLink, linkTarget, type LinkScope } from './link-target'
import type { LoadingBar } from './loading-bar'

type Options = {
  page: Window
  scope: () => LinkScope
  bar: LoadingBar
  /** Shows a page of this host and language without a load. */ open: (url: URL) => void
}

/** One listener for all links: pages of this host and language are opened in place; on a full load within the site the bar shows. */
export function startLinkClicks({ page, scope, bar, open }: Options): () => void {
  const clicked = (event: MouseEvent): void => {
    const link = followedLink(event)
    if (!link) return
    const target = linkTarget(link, scope())
    if (target.kind === 'site') bar.start()
    if (target.kind !== 'page') return
    event.preventDefault()
    open(target.url)
  }
  /** A page that comes back from the browser's memory has arrived. */
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
