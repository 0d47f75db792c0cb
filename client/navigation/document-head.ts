import { locales } from '../../shared/i18n/locales'
import type { PageView } from '../../shared/view'

/**
 * Elements of the head that differ between pages. The others (charset, icons, styles, the theme
 * script) stay.
 */
const pageElements = [
  'title',
  'meta[name]:not([name="viewport"], [name="color-scheme"], [name="theme-color"])',
  'meta[property]',
  'link[rel="canonical"]',
  'link[rel="alternate"]',
  'script[type="application/ld+json"]',
].join()

/**
 * Replaces the head of the previous page and updates the attributes of `<html>` (spec 11). `head`
 * is the HTML that the server writes into the same page, so a click and a load give the same head.
 */
export function updateDocumentHead(
  document: Document,
  view: Pick<PageView, 'locale' | 'route' | 'buildId'>,
  head: string,
): void {
  const parsed = new DOMParser().parseFromString(`<head>${head}</head>`, 'text/html')
  for (const element of document.head.querySelectorAll(pageElements)) element.remove()
  document.head.append(...parsed.head.children)
  document.documentElement.lang = locales[view.locale].language
  document.documentElement.dataset['page'] = view.route
  document.documentElement.dataset['build'] = view.buildId
}
