import {
  hostLanguages,
  localeBySegment,
  localeCodes,
  locales,
  type HostName,
  type LocaleCode,
} from '../../shared/i18n/locales'
import { localePath } from '../../shared/routes/href'
import { applyAllPathRules, canonicalize, type UrlContext } from './canonicalize'
import { decodePath, splitTarget } from './decode-path'
import {
  createRedirectTable,
  isExternal,
  type RedirectRow,
  type RedirectTable,
} from './redirect-table'

export type RedirectReport = {
  line: number
  reason: string
  /** The row does not count. */ ignored: boolean
}

/** Origins that no row can name: the check is about paths alone. */
const origins = {
  en: 'http://en.invalid',
  zh: 'http://zh.invalid',
  ru: 'http://ru.invalid',
} as const

/** `from` in canonical form: `/Old.html/` is `/old`, `/vi/old` is `/vn/old`, `/ru/old` is `/old` on the Russian host alone. */
function canonicalRow(row: RedirectRow): RedirectRow | null {
  const wild = row.from.endsWith('/*')
  const decoded = decodePath(wild ? row.from.slice(0, -2) || '/' : row.from)
  if (decoded === null) return null
  const path = applyAllPathRules(decoded)
  const [, segment = '', rest = ''] = /^\/([^/]*)(.*)$/.exec(path) ?? []
  const named = localeBySegment.get(segment)
  const from = named ? localePath(named.code, rest || '/') : path
  const only = named && named.prefix === '' ? [named.code] : null
  const allowed =
    only && row.locales ? row.locales.filter((code) => only.includes(code)) : (only ?? row.locales)
  return { ...row, from: wild ? `${from === '/' ? '' : from}/*` : from, locales: allowed }
}

/** Languages in which a row may fire: those it names, or the one whose prefix its `from` bears. */
function localesOf(row: RedirectRow): readonly LocaleCode[] {
  const named = localeBySegment.get(row.from.split('/')[1] ?? '')
  if (named && named.prefix !== '')
    return row.locales ? row.locales.filter((code) => code === named.code) : [named.code]
  return row.locales ?? localeCodes
}

/** A path that a row is about, in a language, and the host it is asked on. */
function samplePath(row: RedirectRow, code: LocaleCode): { host: HostName; path: string } {
  const path = row.from.endsWith('/*') ? `${row.from.slice(0, -2)}/a-sample` : row.from
  const { prefix, domain } = locales[code]
  const prefixed =
    prefix !== '' && (path === prefix || path.startsWith(`${prefix}/`))
      ? path
      : localePath(code, path)
  return { host: domain, path: prefixed }
}

const hostOf = (location: string): HostName | null =>
  (Object.keys(hostLanguages) as HostName[]).find((name) =>
    location.startsWith(`${origins[name]}/`),
  ) ?? null

/**
 * Whether a row leads to an end: following it once must give a page or an external target that no row touches again.
 * A row that leads back to itself, at once or over others, fires and is undone, or fires anew on its own result.
 */
function loops(row: RedirectRow, code: LocaleCode, urlContext: UrlContext): boolean {
  const asked = { ...samplePath(row, code), query: '' }
  const first = canonicalize(asked, urlContext)
  if (first.kind === 'page') return true
  if (first.kind !== 'redirect' || first.external) return false
  const host = hostOf(first.location)
  if (!host) return false
  const second = canonicalize({ host, ...splitTarget(first.location) }, urlContext)
  return second.kind === 'redirect'
}

/**
 * Brings every row to canonical form and says what is wrong with the table: rows that loop (ignored), that repeat an
 * earlier one or are shadowed by it (they never fire), that start on a live page (they win), and addresses that are
 * not valid. `isLive` tells whether a canonical path is a page of its own.
 */
export function checkRedirects(
  source: readonly RedirectRow[],
  urlContext: Omit<UrlContext, 'origins' | 'redirects'>,
  isLive: (path: string, locale: LocaleCode) => boolean,
): { rows: RedirectRow[]; reports: RedirectReport[] } {
  const table = createRedirectTable()
  const reports: RedirectReport[] = []
  const full: UrlContext = { ...urlContext, origins, redirects: table }
  const report = (row: RedirectRow, reason: string, ignored: boolean): void =>
    void reports.push({ line: row.line, reason: `${row.from}: ${reason}`, ignored })

  for (const written of source) {
    const row = canonicalRow(written)
    if (!row || row.locales?.length === 0) {
      report(
        written,
        row ? 'its languages exclude the one that the path names' : 'not a valid path',
        true,
      )
      continue
    }
    const where = localesOf(row)
    const earlier = firstCover(row, where, table)
    if (earlier) {
      report(
        written,
        earlier.from === row.from
          ? `repeats line ${earlier.line} and never fires`
          : `shadowed by line ${earlier.line} (${earlier.from}) and never fires`,
        true,
      )
      continue
    }
    table.add(row)
    // Before it is in the table, a row of an earlier line may catch some of its languages: those are not its loops.
    const own = where.filter(
      (code) =>
        table.find(samplePath(row, code).path, code)?.row === row ||
        table.find(row.from.replace('*', 'a-sample'), code)?.row === row,
    )
    if (own.some((code) => loops(row, code, full))) {
      table.removeLast()
      report(written, isExternal(row.to) ? 'loops' : `loops: ${row.to} leads back to it`, true)
      continue
    }
    if (!row.from.endsWith('/*') && own.some((code) => isLive(samplePath(row, code).path, code)))
      report(written, 'starts on a live page, which nobody will reach', false)
  }
  return { rows: [...table.rows], reports }
}

/** An earlier row that catches this one in all its languages. */
function firstCover(
  row: RedirectRow,
  where: readonly LocaleCode[],
  table: RedirectTable,
): RedirectRow | null {
  const hits = where.map((code) => table.find(row.from.replace('*', 'a-sample'), code)?.row ?? null)
  const [first] = hits
  // A row for one sample of a folder does not cover the folder: only an earlier wildcard does.
  const covers = (hit: RedirectRow | null): boolean =>
    hit !== null && (!row.from.endsWith('/*') || hit.from.endsWith('/*'))
  return first && hits.every(covers) ? first : null
}
