import type { LocaleCode } from '../../shared/i18n/locales'

export type RedirectStatus = 301 | 302 | 307 | 308
/** A checked row of `content/redirects.yaml`; `from` is canonical, `to` a path or an http(s) address, `line` its place in the file. */
export type RedirectRow = {
  from: string
  to: string
  status: RedirectStatus
  locales: readonly LocaleCode[] | null
  line: number
}
export type RedirectHit = { row: RedirectRow; to: string; external: boolean }
export type RedirectTable = {
  find: (path: string, locale: LocaleCode) => RedirectHit | null
  rows: readonly RedirectRow[]
}

export const isExternal = (target: string): boolean => /^https?:\/\//i.test(target)

type Ranked = { row: RedirectRow; rank: number }
export type GrowingRedirectTable = RedirectTable & {
  add: (row: RedirectRow) => void
  /** Takes the last added row back. */ removeLast: () => void
}

/** Where a row lies: its whole `from`, or for `/old/*` the folder above the star. */
const placeOf = (row: RedirectRow): { wild: boolean; key: string } =>
  row.from.endsWith('/*')
    ? { wild: true, key: row.from.slice(0, -2) }
    : { wild: false, key: row.from }

/**
 * Looks rows up by path: exact ones and, for `from: /old/*`, those of every folder above. Of several that fit, the
 * first of the file wins. A look-up costs one map access a path segment, however long the table is.
 */
export function createRedirectTable(initial: readonly RedirectRow[] = []): GrowingRedirectTable {
  const rows: RedirectRow[] = []
  const exact = new Map<string, Ranked[]>()
  const below = new Map<string, Ranked[]>()

  function add(row: RedirectRow): void {
    const { wild, key } = placeOf(row)
    const map = wild ? below : exact
    const list = map.get(key)
    if (list) list.push({ row, rank: rows.length })
    else map.set(key, [{ row, rank: rows.length }])
    rows.push(row)
  }

  function removeLast(): void {
    const row = rows.pop()
    if (!row) return
    const { wild, key } = placeOf(row)
    const map = wild ? below : exact
    const rest = (map.get(key) ?? []).filter((entry) => entry.row !== row)
    if (rest.length > 0) map.set(key, rest)
    else map.delete(key)
  }

  /** The first of the candidates that counts in a language, or null; they stand in the order of the file. */
  const firstOf = (
    candidates: readonly Ranked[] | undefined,
    locale: LocaleCode,
  ): Ranked | null => {
    if (candidates)
      for (const candidate of candidates)
        if (!candidate.row.locales || candidate.row.locales.includes(locale)) return candidate
    return null
  }

  function find(path: string, locale: LocaleCode): RedirectHit | null {
    if (rows.length === 0) return null
    let best = firstOf(exact.get(path), locale)
    let from = path.length
    if (below.size > 0) {
      for (
        let end = path.lastIndexOf('/');
        end >= 0;
        end = end === 0 ? -1 : path.lastIndexOf('/', end - 1)
      ) {
        if (end === path.length - 1) continue
        const candidate = firstOf(below.get(path.slice(0, end)), locale)
        if (!candidate || (best && best.rank < candidate.rank)) continue
        best = candidate
        from = end + 1
      }
    }
    if (!best) return null
    const { row } = best
    const to = row.to.includes(':splat')
      ? row.to.replaceAll(':splat', () => path.slice(from))
      : row.to
    return { row, to, external: isExternal(to) }
  }

  for (const row of initial) add(row)
  return { find, rows, add, removeLast }
}
