import { pages } from '../../shared/constants'
import { locales, type HostName, type LocaleCode } from '../../shared/i18n/locales'
import { securityHeaders } from '../cache/security-headers'
import type { StoredAnswer } from '../cache/stored-answer'
import type { Settings } from '../env'
import { SiteError } from '../errors'
import { computeETag } from '../request/etag'
import { encodeText } from './encode-text'
import type { PageServices } from './page-services'

/** Caching headers of pages, payloads and islands, which all visitors share (spec 8.1). */
export const sharedCaching = (
  { CDN_MAX_AGE, CDN_TAGS }: Pick<Settings, 'CDN_MAX_AGE' | 'CDN_TAGS'>,
  tags: readonly string[],
): Record<string, string> => ({
  'Cache-Control': [
    'public',
    'max-age=0',
    `s-maxage=${CDN_MAX_AGE}`,
    `stale-while-revalidate=${pages.staleSeconds}`,
    `stale-if-error=${pages.staleSeconds}`,
  ].join(', '),
  ...(CDN_TAGS ? { 'Cache-Tag': tags.join(',') } : {}),
})

type JsonAnswer = {
  host: HostName
  locale: LocaleCode
  /** For logs and metrics. */
  route: string
  body: unknown
  tags: readonly string[]
  status?: number
  /** Replaces the caching headers of pages. */
  cacheControl?: string
}

/**
 * JSON as an answer that can be stored. It has an `ETag` when it succeeds, and search engines must
 * not index it.
 */
export function jsonAnswer(
  { hosts, settings }: Pick<PageServices, 'hosts' | 'settings'>,
  { host, locale, route, body, tags, status = 200, cacheControl }: JsonAnswer,
): StoredAnswer {
  const bytes = encodeText(JSON.stringify(body))
  const caching =
    cacheControl === undefined ? sharedCaching(settings, tags) : { 'Cache-Control': cacheControl }
  return {
    status,
    headers: {
      ...securityHeaders(hosts.isSecure(host)),
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Language': locales[locale].language,
      ...caching,
      Vary: 'Accept-Encoding',
      'X-Robots-Tag': 'noindex',
    },
    body: bytes,
    encoded: {},
    etag: status === 200 ? computeETag(bytes) : '',
    storedAt: Date.now(),
    tags,
    route,
    locale,
    negotiated: false,
    queryMatters: true,
  }
}

/** The error of a payload or island that failed; unlike a page, it has no error screen. */
export const failAsSiteError = (error: unknown): Promise<never> =>
  Promise.reject(error instanceof SiteError ? error : renderFailed())

export const renderFailed = (): SiteError =>
  new SiteError('renderFailed', undefined, { 'Retry-After': '5' })
