import { escapeXml } from '../../shared/escape-html'
import type { LocaleCode } from '../../shared/i18n/locales'
import { absolute, href, type Origins } from '../../shared/routes/href'
import { alternatesOf } from '../url/page-availability'
import type { ListedPage } from './listed-pages'

const header = '<?xml version="1.0" encoding="UTF-8"?>\n'
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

/** One `<url>`: its alternates are those of the page's own head, and like there only the first page of a list has any. */
function urlElement(
  { page, number, modified, existence }: ListedPage,
  locale: LocaleCode,
  origins: Origins,
): string {
  const links = number > 1 ? [] : alternatesOf(page, existence, origins)
  const alternates = links
    .map(
      ({ hreflang, href: address }) =>
        `<xhtml:link rel="alternate" hreflang="${hreflang}" href="${escapeXml(address)}"/>`,
    )
    .join('')
  const lastmod = modified ? `<lastmod>${modified}</lastmod>` : ''
  return `<url><loc>${escapeXml(absolute(origins, locale, href(locale, page.route, page.params, number)))}</loc>${lastmod}${alternates}</url>\n`
}

/** Characters that are joined before they are handed on: fewer, larger writes. */
const chunkSize = 64 * 1024

/** A part of a language's sitemap, piece by piece: never more than a piece of it is in memory. */
export function* sitemapXml(
  pages: Iterable<ListedPage>,
  locale: LocaleCode,
  origins: Origins,
): Generator<string> {
  let chunk = `${header}<urlset ${namespace} xmlns:xhtml="http://www.w3.org/1999/xhtml">\n`
  for (const page of pages) {
    chunk += urlElement(page, locale, origins)
    if (chunk.length < chunkSize) continue
    yield chunk
    chunk = ''
  }
  yield `${chunk}</urlset>\n`
}

/** The index of a host: every part of every language that it serves. */
export const sitemapIndexXml = (addresses: readonly string[]): string =>
  `${header}<sitemapindex ${namespace}>\n${addresses.map((address) => `<sitemap><loc>${escapeXml(address)}</loc></sitemap>\n`).join('')}</sitemapindex>\n`
