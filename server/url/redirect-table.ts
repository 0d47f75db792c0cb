import type { LocaleCode } from '../../shared/i18n/locales'

export type RedirectStatus = 301 | 302 | 307 | 308
/** A checked row of `content/redirects.yaml`; `from` is canonical, `to` a path or an http(s) address. */
export type RedirectRow = { from: string; to: string; status: RedirectStatus; locales: readonly LocaleCode[] | null; line: number }
export type RedirectHit = { row: RedirectRow; to: string; external: boolean }
export type RedirectTable = { find: (path: string, locale: LocaleCode) => RedirectHit | null; rows: readonly RedirectRow[] }

export const isExternal = (target: string): boolean => /^https?:\/\//i.test(target)

type Ranked = { row: RedirectRow; rank: number }

/**
 * Looks rows up by path: exact ones and, for `from: /old/*`, those of every folder above. Of several that fit, the
 * first of the file wins. A look-up costs one map access a path segment, however long the table is.
 */
export function createRedirectTable(rows: readonly RedirectRow[]): RedirectTable {
  const exact = new Map<string, Ranked[]>()
  const below = new Map<string, Ranked[]>()
  for (const [rank, row] of rows.entries()) {
    const wild = row.from.endsWith('/*')
    const map = wild ? below : exact
    const key = wild ? row.from.slice(0, -2) : row.from
    map.set(key, [...(map.get(key) ?? []), { row, rank }])
  }

  function find(path: string, locale: LocaleCode): RedirectHit | null {
    let best: Ranked | null = null
    let splat = ''
    const consider = (candidates: readonly Ranked[] | undefined, rest: string): void => {
      for (const candidate of candidates ?? []) {
        if (candidate.row.locales && !candidate.row.locales.includes(locale)) continue
        if (best && best.rank < candidate.rank) continue
        best = candidate
        splat = rest
      }
    }
    consider(exact.get(path), '')
    if (below.size > 0) {
      for (let end = path.lastIndexOf('/'); end >= 0; end = end === 0 ? -1 : path.lastIndexOf('/', end - 1)) {
        const rest = path.slice(end + 1)
        if (rest !== '') consider(below.get(path.slice(0, end)), rest)
      }
    }
    const found = best as Ranked | null
    if (!found) return null
    const to = found.row.to.replaceAll(':splat', () => splat)
    return { row: found.row, to, external: isExternal(to) }
  }
  return { find: rows.length === 0 ? () => null : find, rows }
}

export const emptyRedirectTable: RedirectTable = createRedirectTable([])
