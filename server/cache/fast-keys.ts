import type { HostName } from '../../shared/i18n/locales'

/** A stored answer that a raw target may name. `cutQuery`: a query was left out, which only answers without declared parameters allow. */
export type FastKey = { key: string; path: string; cutQuery: boolean }

const payloadName = '/_payload.json'
/** A page of a list, as keys spell it; `page=1` is no canonical query, so no key ends in it. */
const pageQuery = /^\?page=[1-9]\d{0,8}$/

/**
 * From a raw request target to the key of a stored answer, without any rule of URLs: only a target that is canonical as
 * it stands can equal the path in a key. Null where rules would have to decide:
 * - `page` among other parameters, or encoded;
 * - a fragment, which no client should send;
 * - a language's root with a query (`/es?a=1`), which has a slash of its own.
 */
export function fastKeys(
  buildId: string,
  isPrefix: (segment: string) => boolean,
): (host: HostName, target: string) => FastKey | null {
  const ownQuery = `?${buildId}`
  return function fastKey(host, target) {
    const mark = target.indexOf('?')
    if (mark < 0)
      return target.includes('#')
        ? null
        : { key: `${host} ${target}`, path: target, cutQuery: false }
    const path = target.slice(0, mark)
    const query = target.slice(mark)
    if (path.endsWith(payloadName)) {
      return query === ownQuery
        ? {
            key: `payload ${host} ${path.slice(0, -payloadName.length) || '/'}`,
            path,
            cutQuery: false,
          }
        : null
    }
    if (pageQuery.test(query)) return { key: `${host} ${target}`, path, cutQuery: false }
    if (/page=|[#%]/.test(query)) return null
    const root = path.lastIndexOf('/') === 0 && isPrefix(path.slice(1))
    if (root) return null
    // `/es/?ref=a` is the canonical form of `/es` with a query.
    const slashed =
      query.length > 1 &&
      path.length > 2 &&
      path.endsWith('/') &&
      path.indexOf('/', 1) === path.length - 1 &&
      isPrefix(path.slice(1, -1))
    return { key: `${host} ${slashed ? path.slice(0, -1) : path}`, path, cutQuery: true }
  }
}
