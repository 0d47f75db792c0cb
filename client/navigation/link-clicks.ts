import { followedLink, linkTarget, type LinkScope } from './link-target'
import type { LoadingBar } from './loading-bar'

type Options = {
  window: Window
  scope: () => LinkScope
  bar: Pick<LoadingBar, 'start' | 'finish'>
  /** Shows a page of this host and language without a load. */
  open: (url: URL) => void
}

/**
 * One listener for all links: opens pages of this host and language without a load, and shows the
 * loading bar when a link to another language loads fully.
 */
export function startLinkClicks({ window, scope, bar, open }: Options): () => void {
  const onClick = (event: MouseEvent): void => {
    const link = followedLink(event)
    if (!link) return
    const target = linkTarget(link, scope())
    if (target.kind === 'site') bar.start()
    if (target.kind !== 'page') return
    event.preventDefault()
    open(target.url)
  }
  /** A page restored from the back/forward cache still shows the bar that it was left with. */
  const onPageShow = (event: PageTransitionEvent): void => {
    if (event.persisted) bar.finish()
  }
  window.addEventListener('click', onClick)
  window.addEventListener('pageshow', onPageShow)
  return () => {
    window.removeEventListener('click', onClick)
    window.removeEventListener('pageshow', onPageShow)
  }
}
