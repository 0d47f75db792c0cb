import { sitemaps as sitemapLimits } from '../../shared/constants'
import { allLocales, type HostName, type LocaleCode } from '../../shared/i18n/locales'
import type { Build } from '../build-info'
import type { ContentStore } from '../content/store/store'
import { computeETag, formatWeakETag } from '../request/etag'
import type { Hosts } from '../url/hosts'
import type { UrlContext } from '../url/url-context'
import { createSitemapPages } from './sitemap-pages'
import { sitemapPath } from './sitemap-paths'
import { sitemapIndexXml, sitemapXml } from './sitemap-xml'

type Services = {
  store: ContentStore
  hosts: Pick<Hosts, 'origins'>
  urlContext: () => UrlContext
  build: Pick<Build, 'id'>
}
type SitemapPart = { locale: LocaleCode; part: number }

const { maxUrlsPerPart } = sitemapLimits

/**
 * The sitemap index of each host and the parts of each language, for the current content (spec
 * 9.1).
 */
export function createSitemaps({ store, hosts, urlContext, build }: Services) {
  let cached: {
    generation: number
    etag: string
    pages: ReturnType<typeof createSitemapPages>
  } | null = null

  function current() {
    const generation = store.generation()
    if (cached?.generation !== generation) {
      const origins = Object.values(hosts.origins).join()
      const tag = computeETag(`${build.id}\n${store.outlineState()}\n${origins}`)
      const pages = createSitemapPages(store, urlContext())
      cached = { generation, etag: formatWeakETag(tag), pages }
    }
    return cached
  }

  function partCount(locale: LocaleCode): number {
    const { pages } = current()
    if (pages.fits(locale, maxUrlsPerPart)) return 1
    return Math.max(1, Math.ceil(pages.count(locale) / maxUrlsPerPart))
  }

  return {
    /** Changes with the content, and is the same for all files. */
    etag: (): string => current().etag,
    hasPart: ({ locale, part }: SitemapPart): boolean => part <= partCount(locale),
    /** The XML of a part, in chunks that are generated as they are read. */
    part({ locale, part }: SitemapPart): Iterable<string> {
      const offset = (part - 1) * maxUrlsPerPart
      const pages = current().pages.slice(locale, offset, maxUrlsPerPart)
      return sitemapXml(pages, locale, hosts.origins)
    },
    /** The XML of the index: all parts of all languages of the host. */
    index(host: HostName): string {
      const urls = allLocales
        .filter(({ domain }) => domain === host)
        .flatMap(({ code }) =>
          Array.from(
            { length: partCount(code) },
            (_, index) => hosts.origins[host] + sitemapPath(code, index + 1),
          ),
        )
      return sitemapIndexXml(urls)
    },
  }
}
