import type { LocaleCode } from '../../shared/i18n/locales'

export type RedirectStatus = 301 | 302 | 307 | 308
/**
 * A checked row of `content/redirects.yaml`: `from` is canonical, `to` is a path or an http(s) URL,
 * `line` is its line in the file.
 */
export type RedirectRow = {
  from: string
  to: string
  status: RedirectStatus
  locales: readonly LocaleCode[] | null
  line: number
}
type RedirectHit = { row: RedirectRow; to: string; external: boolean }
export type RedirectTable = {
  find: (path: string, locale: LocaleCode) => RedirectHit | null
  rows: readonly RedirectRow[]
}

export const isExternal = (target: string): boolean => /^https?:\/\//i.test(target)

type RankedRow = { row: RedirectRow; rank: number }
type MutableRedirectTable = RedirectTable & {
  add: (row: RedirectRow) => void
  /** Removes the row that was added last. */
  removeLast: () => void
}

/**
 * `%e4` and `%E4` are the same byte (RFC 3986, section 6.2.2.1): WordPress wrote the first into its
 * links, browsers encode `中` with capitals.
 */
const upperCaseHex = (path: string): string =>
  path.includes('%') ? path.replace(/%[0-9a-f]{2}/gi, (byte) => byte.toUpperCase()) : path

/** Key of a row: its `from`, or for `/old/*` the folder `/old`. */
function lookupKeyOf(row: RedirectRow): { isWildcard: boolean; key: string } {
  const from = upperCaseHex(row.from)
  return from.endsWith('/*')
    ? { isWildcard: true, key: from.slice(0, -2) }
    : { isWildcard: false, key: from }
}

/**
 * Finds rows by path: exact rows, and wildcard rows of every folder above it. Of several matches
 * the first in the file wins. A lookup costs one map access per path segment, however long the
 * table is.
 */
export function createRedirectTable(initial: readonly RedirectRow[] = []): MutableRedirectTable {
  const rows: RedirectRow[] = []
  const exact = new Map<string, RankedRow[]>()
  const wildcards = new Map<string, RankedRow[]>()

  function add(row: RedirectRow): void {
    const { isWildcard, key } = lookupKeyOf(row)
    const map = isWildcard ? wildcards : exact
    const list = map.get(key)
    if (list) list.push({ row, rank: rows.length })
    else map.set(key, [{ row, rank: rows.length }])
    rows.push(row)
  }

  function removeLast(): void {
    const row = rows.pop()
    if (!row) return
    const { isWildcard, key } = lookupKeyOf(row)
    const map = isWildcard ? wildcards : exact
    const rest = (map.get(key) ?? []).filter((entry) => entry.row !== row)
    if (rest.length > 0) map.set(key, rest)
    else map.delete(key)
  }

  /** The first candidate that applies in a language; candidates are in the order of the file. */
  const firstOf = (
    candidates: readonly RankedRow[] | undefined,
    locale: LocaleCode,
  ): RankedRow | null => {
    if (candidates)
      for (const candidate of candidates)
        if (!candidate.row.locales || candidate.row.locales.includes(locale)) return candidate
    return null
  }

  function find(path: string, locale: LocaleCode): RedirectHit | null {
    if (rows.length === 0) return null
    const key = upperCaseHex(path)
    let best = firstOf(exact.get(key), locale)
    let splatStart = path.length
    if (wildcards.size > 0) {
      for (
        let end = path.lastIndexOf('/');
        end >= 0;
        end = end === 0 ? -1 : path.lastIndexOf('/', end - 1)
      ) {
        if (end === path.length - 1) continue
        const candidate = firstOf(wildcards.get(key.slice(0, end)), locale)
        if (!candidate || (best && best.rank < candidate.rank)) continue
        best = candidate
        splatStart = end + 1
      }
    }
    if (!best) return null
    const { row } = best
    const to = row.to.includes(':splat')
      ? row.to.replaceAll(':splat', () => path.slice(splatStart))
      : row.to
    return { row, to, external: isExternal(row.to) }
  }

  for (const row of initial) add(row)
  return { find, rows, add, removeLast }
}
