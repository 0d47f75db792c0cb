import { LRUCache } from 'lru-cache'
import { sitemaps as sitemapLimits } from '../../shared/constants'
import { allLocales, type HostName, type LocaleCode } from '../../shared/i18n/locales'
import type { Build } from '../build-info'
import type { ContentStore } from '../content/store/store'
import { computeETag } from '../request/etag'
import type { Hosts } from '../url/hosts'
import type { UrlContext } from '../url/url-context'
import { compressFile, type CompressedFile } from './compressed-file'
import { createSitemapPages } from './sitemap-pages'
import { sitemapPath, type SitemapFile } from './sitemap-paths'
import { sitemapIndexXml, sitemapXml } from './sitemap-xml'

type Services = {
  store: ContentStore
  hosts: Pick<Hosts, 'origins'>
  urlContext: () => UrlContext
  build: Pick<Build, 'id'>
}
const { maxUrlsPerPart } = sitemapLimits

const keyOf = (file: SitemapFile, host: HostName): string =>
  file.kind === 'index' ? `index ${host}` : `${file.locale} ${file.part}`

/** What is kept for one generation of the content. */
function startGeneration({ store, hosts, urlContext, build }: Services, generation: number) {
  const origins = Object.values(hosts.origins).join()
  return {
    generation,
    tag: computeETag(`${build.id}\n${store.outlineState()}\n${origins}`),
    pages: createSitemapPages(store, urlContext()),
    partCounts: new Map<LocaleCode, number>(),
    /** By `keyOf`. */
    making: new Map<string, CompressedFile>(),
    complete: new LRUCache<string, { file: CompressedFile; size: number }>({
      maxSize: sitemapLimits.maxKeptBytes,
      sizeCalculation: ({ size }) => size,
    }),
  }
}

/**
 * The sitemap index of each host and the parts of each language, for the current content (spec
 * 9.1). A file is generated and compressed when it is first requested, and kept until the content
 * changes.
 */
export function createSitemaps(services: Services) {
  const { store, hosts } = services
  let cached: ReturnType<typeof startGeneration> | null = null

  function current(): ReturnType<typeof startGeneration> {
    const generation = store.generation()
    if (cached?.generation !== generation) cached = startGeneration(services, generation)
    return cached
  }

  function partCount(locale: LocaleCode): number {
    const { pages, partCounts } = current()
    const count =
      partCounts.get(locale) ??
      (pages.fits(locale, maxUrlsPerPart) ? 1 : Math.ceil(pages.count(locale) / maxUrlsPerPart))
    partCounts.set(locale, count)
    return count
  }

  /** The XML of the index: all parts of all languages of the host. */
  function indexXml(host: HostName): string {
    const urls = allLocales
      .filter(({ domain }) => domain === host)
      .flatMap(({ code }) =>
        Array.from(
          { length: partCount(code) },
          (_, index) => hosts.origins[host] + sitemapPath(code, index + 1),
        ),
      )
    return sitemapIndexXml(urls)
  }

  /** The XML of a file, in chunks that are generated as they are read. */
  function xmlOf(file: SitemapFile, host: HostName): Iterable<string> {
    if (file.kind === 'index') return [indexXml(host)]
    const offset = (file.part - 1) * maxUrlsPerPart
    const pages = current().pages.slice(file.locale, offset, maxUrlsPerPart)
    return sitemapXml(pages, file.locale, hosts.origins)
  }

  return {
    /** Tag for `ETag`. It changes with the content, and is the same for all files. */
    tag: (): string => current().tag,
    exists: (file: SitemapFile): boolean =>
      file.kind === 'index' || file.part <= partCount(file.locale),
    /** A stored file, or one that is being made; undefined when neither exists. */
    find(file: SitemapFile, host: HostName): CompressedFile | undefined {
      const { making, complete } = current()
      const key = keyOf(file, host)
      return complete.get(key)?.file ?? making.get(key)
    },
    make(file: SitemapFile, host: HostName): CompressedFile {
      const { making, complete } = current()
      const key = keyOf(file, host)
      const made = compressFile(xmlOf(file, host))
      making.set(key, made)
      made.done
        .then((size) => complete.set(key, { file: made, size }))
        .catch(() => undefined)
        .finally(() => making.delete(key))
      return made
    },
  }
}
