import { isHostName, type HostName } from '../../shared/i18n/locales'
import { payloadSuffix } from '../../shared/payload'

/**
 * Every key of the answer cache is made here. The key of a page, of its 404 or of a redirect is the
 * language host, a space and the canonical request target. The key of anything else begins with a
 * word that is not a host, so that no request target can reach it under a page's key.
 */
const targetKey = (host: HostName, target: string): string => `${host} ${target}`

/**
 * `page`: the number of a list's page; null when the query names no existing page, so that all such
 * queries share one entry.
 */
export const pageKey = (host: HostName, path: string, page: number | null): string =>
  targetKey(host, path + pageQuery(page))
export const payloadKey = (host: HostName, path: string, page: number | null): string =>
  `payload ${pageKey(host, path, page)}`
export const islandKey = (host: HostName, id: string): string => `island ${host} ${id}`
/** `target`: the request target that is redirected, without a query. */
export const redirectKey = (host: HostName, target: string): string => targetKey(host, target)

const pageQuery = (page: number | null): string =>
  page === null ? '?page' : page > 1 ? `?page=${page}` : ''

const pageOrPayloadKey = /^(?:payload )?(\S+) ([^?]*)/

/** Host and path of the key of a page or payload; null for an island, which has no page address. */
export function addressOfKey(key: string): { host: HostName; path: string } | null {
  const [, host = '', path = ''] = pageOrPayloadKey.exec(key) ?? []
  return isHostName(host) ? { host, path } : null
}

/** The key that a raw request target may have. */
type FastKey = {
  key: string
  path: string
  /**
   * The key leaves the query out. Only answers whose route declares no query parameters may be
   * found by it.
   */
  dropsQuery: boolean
}

/** A page number as keys contain it. `page=1` is not canonical, so no key ends in it. */
const canonicalPageQuery = /^\?page=[1-9]\d{0,8}$/

/**
 * Makes the function by which the front finds stored answers. It applies no URL rules: only a
 * target that is already canonical equals the path in a key. The function returns null where URL
 * rules have to decide:
 * - `page` among other parameters, or encoded;
 * - a fragment, which clients must not send;
 * - the root of a language with a query (`/es?a=1`), whose canonical form has a trailing slash.
 */
export function createFastKeys(
  buildId: string,
  isLocalePrefix: (segment: string) => boolean,
): (host: HostName, target: string) => FastKey | null {
  const payloadQuery = `?${buildId}`
  return function fastKey(host, target) {
    const queryStart = target.indexOf('?')
    if (queryStart < 0)
      return target.includes('#')
        ? null
        : { key: targetKey(host, target), path: target, dropsQuery: false }
    const path = target.slice(0, queryStart)
    const query = target.slice(queryStart)
    if (path.endsWith(payloadSuffix)) {
      if (query !== payloadQuery) return null
      const page = path.slice(0, -payloadSuffix.length) || '/'
      return { key: payloadKey(host, page, 1), path, dropsQuery: false }
    }
    if (canonicalPageQuery.test(query))
      return { key: targetKey(host, target), path, dropsQuery: false }
    if (/page=|[#%]/.test(query)) return null
    const isLocaleRoot = path.lastIndexOf('/') === 0 && isLocalePrefix(path.slice(1))
    if (isLocaleRoot) return null
    // `/es/?ref=a` is the canonical form of `/es` with a query.
    const isSlashedLocaleRoot =
      query.length > 1 &&
      path.length > 2 &&
      path.endsWith('/') &&
      path.indexOf('/', 1) === path.length - 1 &&
      isLocalePrefix(path.slice(1, -1))
    const keyPath = isSlashedLocaleRoot ? path.slice(0, -1) : path
    return { key: targetKey(host, keyPath), path, dropsQuery: true }
  }
}
