import { LRUCache } from 'lru-cache'
import { hostLanguages, locales, type HostName } from '../../shared/i18n/locales'
import { utcDay } from '../../shared/utc-day'
import type { Build } from '../build-info'
import type { Background } from '../cache/background-jobs'
import type { StoredAnswer } from '../cache/stored-answer'
import type { ContentStore } from '../content/store/store'
import type { Settings } from '../env'
import { foreignOf, textLanguage } from '../pages/loaders/foreign'
import { computeETag } from '../request/etag'
import type { Logger } from '../telemetry/logger'
import { canonicalUrl } from '../pages/seo/seo'
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
  settings: Pick<Settings, 'INDEXING' | 'INDEXNOW_KEY'>
  build: Build
  background: Pick<Background, 'compress'>
  log: Logger
}

/** A generated file. Its compressed forms follow after the first answer. */
type StoredText = Pick<StoredAnswer, 'body' | 'encoded' | 'etag'>
type TextFile =
  | {
      kind: 'file'
      headers: Readonly<Record<string, string>>
      /** Undefined when it has to be made. */
      stored: StoredText | undefined
      make: () => StoredText
    }
  | ({ kind: 'redirect' } & Redirect)
  /** The path of a feed that its language does not have. */
  | { kind: 'missing' }

const maxCachedTexts = 100
/** Shorter texts are not compressed, like those of the compression row. */
const minCompressedBytes = 1024

/** Keeps each text until the content changes. */
function createTextStore({
  store,
  background,
  log,
}: Pick<Services, 'store' | 'background' | 'log'>) {
  const cache = new LRUCache<string, StoredText>({ max: maxCachedTexts })

  function makeText(key: string, text: string): StoredText {
    const body = Buffer.from(text)
    const made: StoredText = { body, encoded: {}, etag: computeETag(body) }
    cache.set(key, made)
    if (body.length >= minCompressedBytes)
      background.compress(made).then(
        (encoded) => cache.set(key, { ...made, encoded }),
        (error: unknown) => log.error({ err: error }, 'a text could not be compressed'),
      )
    return made
  }

  return function textFile(
    type: string,
    name: string,
    generate: () => string,
    moreHeaders: Readonly<Record<string, string>> = {},
  ): TextFile {
    // Texts of earlier content are not found any more, because its generation is part of the key.
    const key = `${store.generation()} ${name}`
    const headers = {
      ...moreHeaders,
      'Content-Type': `${type}; charset=utf-8`,
      'Cache-Control': 'public, max-age=0, must-revalidate',
    }
    return {
      kind: 'file',
      headers,
      stored: cache.get(key),
      make: () => makeText(key, generate()),
    }
  }
}

/**
 * Files that are generated from content: `robots.txt`, `llms.txt`, `openapi.yaml`, Atom feeds, and
 * the Markdown alternates of articles (spec 9.3, 9.5); and IndexNow's key file (spec 9.9).
 */
export function createTextFiles(services: Services) {
  const { store, hosts, urlContext, settings } = services
  const textFile = createTextStore(services)

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
    const { locale, match } = page
    const shown = { route: match.route.id, params: match.params }
    const reference = entryOf(shown, store)
    const entry = reference && store.findEntry(reference.collection, reference.id, locale)
    if (!entry) return null
    const generate = (): string =>
      markdownAlternate(entry, { store, locale, origins: hosts.origins })
    const source = foreignOf({ locale }, entry).foreign?.locale
    const canonical = canonicalUrl(hosts.origins, { ...shown, locale, page: 1, source })
    // A comparison hides statements from the day on which they are too old.
    const day = utcDay(Date.now())
    return textFile('text/markdown', `markdown ${host} ${path} ${day}`, generate, {
      // Search engines are to list the page instead.
      Link: `<${canonical}>; rel="canonical"`,
      'Content-Language': textLanguage(entry, locale),
    })
  }

  /** The description of the product's local API, where there is one. */
  function openApi(): TextFile | null {
    const source = store.openApi()
    return source === null ? null : textFile('application/yaml', 'openapi', () => source)
  }

  /** The file at a path of a host; null for all other paths. */
  return function findTextFile(host: HostName, path: string): TextFile | null {
    if (path === '/robots.txt')
      return textFile('text/plain', `robots ${host}`, () =>
        robotsText(hosts.origins[host], settings.INDEXING),
      )
    if (path === '/llms.txt')
      return textFile('text/plain', `llms ${host}`, () => llmsText(services, host))
    if (path === '/openapi.yaml') return openApi()
    const { INDEXNOW_KEY: key } = settings
    if (key !== '' && path === `/${key}.txt`)
      return textFile('text/plain', 'index-now key', () => key)
    return feed(host, path) ?? markdown(host, path)
  }
}
