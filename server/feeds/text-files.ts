import { LRUCache } from 'lru-cache'
import { hostLanguages, locales, type HostName } from '../../shared/i18n/locales'
import type { Build } from '../build-info'
import type { ContentStore } from '../content/store/store'
import type { Settings } from '../env'
import { computeETag, formatWeakETag } from '../request/etag'
import { canonicalize } from '../url/canonicalize'
import { feedPath, feedsIn, parseFeedPath } from '../url/feed-paths'
import type { Hosts } from '../url/hosts'
import { entryOf } from '../url/page-availability'
import type { Redirect } from '../url/redirect'
import type { UrlContext } from '../url/url-context'
import { atomFeed } from './atom-feed'
import { llmsText } from './llms-text'
import { markdownAlternate } from './markdown-alternate'
import { robotsText } from './robots-text'

type Services = {
  store: ContentStore
  hosts: Hosts
  urlContext: () => UrlContext
  settings: Pick<Settings, 'INDEXING'>
  build: Build
}

export type TextFile =
  | { kind: 'file'; headers: Readonly<Record<string, string>>; text: string }
  | ({ kind: 'redirect' } & Redirect)
  /** The path of a feed that its language does not have. */
  | { kind: 'missing' }

const maxCachedTexts = 100
const withETag = (text: string) => ({ text, etag: formatWeakETag(computeETag(text)) })

/**
 * Files that are generated from content: `robots.txt`, `llms.txt`, Atom feeds, and the Markdown
 * alternates of articles (spec 9.3, 9.5). A text is kept until the content changes.
 */
export function createTextFiles(services: Services) {
  const { store, hosts, urlContext, settings } = services
  const cache = new LRUCache<string, ReturnType<typeof withETag>>({ max: maxCachedTexts })

  function textFile(
    type: string,
    key: string,
    generate: () => string,
    moreHeaders: Readonly<Record<string, string>> = {},
  ): TextFile {
    // Texts of earlier content are not found any more, because its generation is part of the key.
    const cacheKey = `${store.generation()} ${key}`
    const { text, etag } = cache.get(cacheKey) ?? withETag(generate())
    cache.set(cacheKey, { text, etag })
    const headers = {
      ...moreHeaders,
      'Content-Type': `${type}; charset=utf-8`,
      'Cache-Control': 'public, max-age=0, must-revalidate',
      ETag: etag,
    }
    return { kind: 'file', headers, text }
  }

  function feed(host: HostName, path: string): TextFile | null {
    const parsed = parseFeedPath(path)
    if (!parsed) return null
    const { collection } = parsed
    const locale = parsed.locale ?? hostLanguages[host]
    const { domain } = locales[locale]
    if (!feedsIn(locale).includes(collection)) return { kind: 'missing' }
    const location = hosts.origins[domain] + feedPath(collection, locale)
    if (domain !== host) return { kind: 'redirect', location, status: 301, external: false }
    return textFile('application/atom+xml', `feed ${host} ${path}`, () =>
      atomFeed(services, collection, locale),
    )
  }

  /** The article at the path of a page plus `.md`. */
  function markdown(host: HostName, path: string): TextFile | null {
    if (!path.endsWith('.md')) return null
    const pagePath = path.slice(0, -'.md'.length)
    const page = canonicalize({ host, path: pagePath, query: '' }, urlContext())
    if (page.kind !== 'page' || !page.match) return null
    const { locale, match, pathOnHost } = page
    const reference = entryOf({ route: match.route.id, params: match.params }, store)
    const entry = reference && store.findEntry(reference.collection, reference.id, locale)
    if (!entry) return null
    const generate = (): string =>
      markdownAlternate(entry, { store, locale, origins: hosts.origins })
    return textFile('text/markdown', `markdown ${host} ${path}`, generate, {
      // Search engines are to list the page instead.
      Link: `<${hosts.origins[page.host]}${pathOnHost}>; rel="canonical"`,
      'Content-Language': locales[entry.locale].language,
    })
  }

  /** The file at a path of a host; null for all other paths. */
  return function findTextFile(host: HostName, path: string): TextFile | null {
    if (path === '/robots.txt')
      return textFile('text/plain', `robots ${host}`, () =>
        robotsText(hosts.origins[host], settings.INDEXING),
      )
    if (path === '/llms.txt')
      return textFile('text/plain', `llms ${host}`, () => llmsText(services, host))
    return feed(host, path) ?? markdown(host, path)
  }
}
