import { locales } from '../../shared/i18n/locales'
import type { PageView } from '../../shared/view'

/** What differs from page to page; the rest of the head (charset, icons, styles, the theme's script) stays. */
const ofThePage =
  'title, meta[name]:not([name="viewport"], [name="color-scheme"], [name="theme-color"]), meta[property], link[rel="canonical"], link[rel="alternate"], script[type="application/ld+json"]'

/**
 * Puts a page's own head in the place of the last one's, and the page's facts on `<html>` (decisions 11). `head` is what the
 * server writes into the same page's HTML, so a click and a load leave the same head.
 */
export function showInHead(
  page: Document,
  view: Pick<PageView, 'locale' | 'route' | 'buildId'>,
  head: string,
): void {
  const next = new DOMParser().parseFromString(`<head>${head}</head>`, 'text/html')
  for (const old of page.head.querySelectorAll(ofThePage)) old.remove()
  page.head.append(...next.head.children)
  page.documentElement.lang = locales[view.locale].language
  page.documentElement.dataset['page'] = view.route
  page.documentElement.dataset['build'] = view.buildId
}
