import { allLocales, locales, type HostName, type LocaleCode } from '../../shared/i18n/locales'

export type SitemapFile =
  { kind: 'index' } | { kind: 'part'; locale: LocaleCode; domain: HostName; part: number }

/** Path of a part, from 1: `/pt-PT-sitemap.xml`, `/pt-PT-sitemap-2.xml`. */
export function sitemapPath(locale: LocaleCode, part: number): string {
  const tag = locales[locale].language
  return part === 1 ? `/${tag}-sitemap.xml` : `/${tag}-sitemap-${part}.xml`
}

/** The sitemap that a path names; null for other paths. Part numbers have no leading zero. */
export function parseSitemapPath(path: string): SitemapFile | null {
  if (path === '/sitemap.xml' || path === '/index-sitemap.xml') return { kind: 'index' }
  const [, tag, number] =
    /^\/([a-z]{2}-[A-Z]{2})-sitemap(?:-([1-9]\d{0,4}))?\.xml$/.exec(path) ?? []
  const locale = allLocales.find(({ language }) => language === tag)
  if (!locale || number === '1') return null
  return {
    kind: 'part',
    locale: locale.code,
    domain: locale.domain,
    part: number ? Number(number) : 1,
  }
}
