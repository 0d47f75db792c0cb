import type { HostName } from '../../shared/i18n/locales'

/**
 * Keys of stored answers. A page's begins with its host; what is no page begins with a word that no host is, so that
 * neither can ever be found under the other's key, whatever the address was.
 */
export const pageKey = (host: HostName, path: string, page: number | null): string => `${host} ${path}${ofPage(page)}`
export const payloadKey = (host: HostName, path: string, page: number | null): string => `payload ${pageKey(host, path, page)}`
export const islandKey = (host: HostName, id: string): string => `island ${host} ${id}`

/** A query that names no page is one entry, whatever stands in it. */
const ofPage = (page: number | null): string => (page === null ? '?page' : page > 1 ? `?page=${page}` : '')
