import { allLocales, type HostName, type LocaleCode } from '../../shared/i18n/locales'

/** `/pt-PT-sitemap.xml`, `/pt-PT-sitemap-2.xml`: a part of a language's sitemap, numbered from 1. */
export const sitemapPath = (locale: LocaleCode, part: number): string => {
  const tag = allLocales.find(({ code }) => code === locale)?.language ?? locale
  return part === 1 ? `/${tag}-sitemap.xml` : `/${tag}-sitemap-${part}.xml`
}

export type SitemapFile =
  { kind: 'index' } | { kind: 'part'; locale: LocaleCode; domain: HostName; part: number }

/** What a path asks for, or null when it is none of a sitemap. A tag is written as it is announced; parts have no leading zero. */
export function sitemapOf(path: string): SitemapFile | null {
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
