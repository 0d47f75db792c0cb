import { escapeXml } from '../../shared/escape-html'
import type { LocaleCode } from '../../shared/i18n/locales'
import { absoluteUrl, href, type Origins } from '../../shared/routes/href'
import { hreflangLinks } from '../url/page-availability'
import type { SitemapPage } from './sitemap-sections'

const header = '<?xml version="1.0" encoding="UTF-8"?>\n'
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

/** Alternates equal those of the page's head: only the first page of a list has any. */
function urlElement(
  { page, number, modified, availability }: SitemapPage,
  locale: LocaleCode,
  origins: Origins,
): string {
  const url = absoluteUrl(origins, locale, href(locale, page.route, page.params, number))
  const alternates = number > 1 ? [] : hreflangLinks(page, availability, origins)
  const links = alternates.map(
    (link) =>
      `<xhtml:link rel="alternate" hreflang="${link.hreflang}" href="${escapeXml(link.href)}"/>`,
  )
  const lastmod = modified ? `<lastmod>${modified}</lastmod>` : ''
  return `<url><loc>${escapeXml(url)}</loc>${lastmod}${links.join('')}</url>\n`
}

/** Characters per chunk: fewer and larger writes. */
const chunkSize = 64 * 1024

/** Streams a part of a language's sitemap, so that memory holds one chunk of it at a time. */
export function* sitemapXml(
  pages: Iterable<SitemapPage>,
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

/** The index of a host: the URLs of all parts of its languages' sitemaps. */
export function sitemapIndexXml(urls: readonly string[]): string {
  const rows = urls.map((url) => `<sitemap><loc>${escapeXml(url)}</loc></sitemap>\n`)
  return `${header}<sitemapindex ${namespace}>\n${rows.join('')}</sitemapindex>\n`
}
