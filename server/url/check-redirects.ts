import {
  hostNames,
  localeCodes,
  locales,
  type HostName,
  type LocaleCode,
} from '../../shared/i18n/locales'
import { localePath } from '../../shared/routes/href'
import { canonicalize } from './canonicalize'
import { decodePath, splitTarget } from './decode-path'
import { splitLocale } from './page-rules'
import { canonicalizePath } from './path-rules'
import { createRedirectTable, type RedirectRow, type RedirectTable } from './redirect-table'
import type { UrlContext } from './url-context'

type RedirectReport = {
  line: number
  reason: string
  /** Whether the row is left out of the table. */
  ignored: boolean
}

/** Stand-ins for the origins, which the content process does not know: only paths matter here. */
const origins = {
  en: 'http://en.invalid',
  zh: 'http://zh.invalid',
  ru: 'http://ru.invalid',
} as const

/** A path that a wildcard row matches. */
const sampleOf = ({ from }: RedirectRow): string => from.replace(/\/\*$/, '/a-sample')

/**
 * The row with `from` in canonical form: `/Old.html/` is `/old`, `/vi/old` is `/vn/old`, `/ru/old`
 * is `/old` in Russian only. Null when `from` is not a valid path.
 */
function canonicalRow(row: RedirectRow): RedirectRow | null {
  const isWildcard = row.from.endsWith('/*')
  const decoded = decodePath(isWildcard ? row.from.slice(0, -2) : row.from)
  if (decoded === null) return null
  const path = canonicalizePath(decoded)
  const { namedLocale, pathAfterLocale } = splitLocale(path)
  const from = namedLocale ? localePath(namedLocale.code, pathAfterLocale) : path
  const hostLocale = namedLocale?.prefix === '' ? [namedLocale.code] : null
  const allowed =
    hostLocale && row.locales
      ? row.locales.filter((code) => hostLocale.includes(code))
      : (hostLocale ?? row.locales)
  return {
    ...row,
    from: isWildcard ? `${from === '/' ? '' : from}/*` : from,
    locales: allowed,
  }
}

/** Languages in which a row can apply: those it lists, or the one whose prefix `from` has. */
function localesOf(row: RedirectRow): readonly LocaleCode[] {
  const { namedLocale } = splitLocale(row.from)
  const listed = row.locales ?? localeCodes
  return namedLocale ? listed.filter((code) => code === namedLocale.code) : listed
}

/** A URL that a row matches in a language. */
function sampleUrl(row: RedirectRow, code: LocaleCode): { host: HostName; path: string } {
  const path = sampleOf(row)
  const hasPrefix = splitLocale(path).namedLocale?.code === code
  return { host: locales[code].domain, path: hasPrefix ? path : localePath(code, path) }
}

/**
 * Whether a row loops: the redirect must lead to a page or outside of the site. A row that leads
 * back to itself, directly or over other rows, has no effect, or applies again to its own target.
 */
function isLoop(row: RedirectRow, code: LocaleCode, context: UrlContext): boolean {
  const first = canonicalize({ ...sampleUrl(row, code), query: '' }, context)
  if (first.kind !== 'redirect') return first.kind === 'page'
  const host = hostNames.find((name) => first.location.startsWith(`${origins[name]}/`))
  return (
    host !== undefined &&
    canonicalize({ host, ...splitTarget(first.location) }, context).kind === 'redirect'
  )
}

/** An earlier row that matches everything that this row matches, in all its languages. */
function shadowingRow(
  row: RedirectRow,
  codes: readonly LocaleCode[],
  table: RedirectTable,
): RedirectRow | null {
  const hits = codes.map((code) => table.find(sampleOf(row), code)?.row ?? null)
  const [first] = hits
  // A row for one path below a folder does not cover the folder: only an earlier wildcard does.
  const covers = (hit: RedirectRow | null): boolean =>
    hit !== null && (!row.from.endsWith('/*') || hit.from.endsWith('/*'))
  return first && hits.every(covers) ? first : null
}

/**
 * Languages in which requests really reach a row: in the others an earlier row matches. Rows are
 * looked for by the path with its language prefix, then without it, as by rule 8.
 */
const reachedLocales = (
  row: RedirectRow,
  codes: readonly LocaleCode[],
  table: RedirectTable,
): readonly LocaleCode[] =>
  codes.filter((code) => {
    const hit = table.find(sampleUrl(row, code).path, code) ?? table.find(sampleOf(row), code)
    return hit?.row === row
  })

/**
 * Brings all rows to canonical form and reports what is wrong with them: invalid paths, loops, rows
 * that repeat an earlier row or are shadowed by it (all of these are ignored), and rows that start
 * on a live page (they stay). `isLive` tells whether a canonical path is a page.
 */
export function checkRedirects(
  source: readonly RedirectRow[],
  facts: Omit<UrlContext, 'origins' | 'redirects'>,
  isLive: (path: string, locale: LocaleCode) => boolean,
): { rows: RedirectRow[]; reports: RedirectReport[] } {
  const table = createRedirectTable()
  const context: UrlContext = { ...facts, origins, redirects: table }
  const reports: RedirectReport[] = []

  /** Adds a row to the table unless it must be ignored; returns what is wrong with it. */
  function addRow(row: RedirectRow | null): Pick<RedirectReport, 'reason' | 'ignored'> | null {
    const ignore = (reason: string) => ({ reason, ignored: true })
    if (!row) return ignore('not a valid path')
    const codes = localesOf(row)
    if (codes.length === 0) return ignore('its languages exclude the one that the path names')
    const earlier = shadowingRow(row, codes, table)
    if (earlier)
      return ignore(
        earlier.from === row.from
          ? `repeats line ${earlier.line} and never fires`
          : `shadowed by line ${earlier.line} (${earlier.from}) and never fires`,
      )
    table.add(row)
    const reached = reachedLocales(row, codes, table)
    if (reached.some((code) => isLoop(row, code, context))) {
      table.removeLast()
      return ignore(`loops: ${row.to} leads back to it`)
    }
    const hidesPage =
      !row.from.endsWith('/*') && reached.some((code) => isLive(sampleUrl(row, code).path, code))
    return hidesPage
      ? { reason: 'starts on a live page, which visitors can no longer reach', ignored: false }
      : null
  }

  for (const row of source) {
    const report = addRow(canonicalRow(row))
    if (report) reports.push({ ...report, line: row.line, reason: `${row.from}: ${report.reason}` })
  }
  return { rows: [...table.rows], reports }
}
