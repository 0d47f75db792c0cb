import type { HostName } from '../../shared/i18n/locales'

/**
 * Keys of stored answers. A page's is its host, a space and its canonical target; what is no page begins with a word
 * that no host is, so that neither can ever be found under the other's key, whatever the address was.
 */
export const pageKey = (host: HostName, path: string, page: number | null): string =>
  `${host} ${path}${ofPage(page)}`
export const payloadKey = (host: HostName, path: string, page: number | null): string =>
  `payload ${pageKey(host, path, page)}`
export const islandKey = (host: HostName, id: string): string => `island ${host} ${id}`

/** A query that names no page is one entry, whatever stands in it. */
const ofPage = (page: number | null): string =>
  page === null ? '?page' : page > 1 ? `?page=${page}` : ''

/** Host and path of a key of a page or payload; null for what belongs to no address of a page. */
export function addressOfKey(key: string): { host: string; path: string } | null {
  const [, host, path] = /^(?:payload )?(en|zh|ru) ([^?]*)/.exec(key) ?? []
  return host !== undefined && path !== undefined ? { host, path } : null
}
