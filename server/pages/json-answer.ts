import type { PageServices } from './page-services'
import { locales, type HostName, type LocaleCode } from '../../shared/i18n/locales'
import { entityTag, type StoredAnswer } from '../cache/stored-answer'
import { securityHeaders } from '../cache/security-headers'
import { sharedCaching } from './shared-caching'

export type JsonAnswer = {
  host: HostName
  locale: LocaleCode
  /** For the log. */ route: string
  body: unknown
  tags: readonly string[]
  status?: number
  /** Instead of the page's caching. */ cacheControl?: string
}

/** JSON as an answer that may be stored; with an `ETag` when it succeeds. Of no use to a search engine, so none lists it. */
export function jsonAnswer(
  site: Pick<PageServices, 'hosts' | 'settings'>,
  { host, locale, route, body, tags, status = 200, cacheControl }: JsonAnswer,
): StoredAnswer {
  const bytes = Buffer.from(JSON.stringify(body))
  const headers = {
    ...securityHeaders(site.hosts.secure(host)),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Language': locales[locale].language,
    ...(cacheControl === undefined
      ? sharedCaching(site.settings, tags)
      : { 'Cache-Control': cacheControl }),
    Vary: 'Accept-Encoding',
    'X-Robots-Tag': 'noindex',
  }
  return {
    status,
    headers,
    body: bytes,
    encoded: {},
    etag: status === 200 ? entityTag(bytes, '') : '',
    storedAt: Date.now(),
    tags,
    route,
    locale,
    negotiated: false,
    queryMatters: true,
  }
}
