import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contentChecks } from '../../../shared/constants'
import { localeCodes, locales, type LocaleCode } from '../../../shared/i18n/locales'
import { redirectFor } from '../../../shared/routes/availability'
import { match } from '../../../shared/routes/match'
import { routeOfCollection } from '../../../shared/routes/table'
import { paramsOf } from '../../url/entry-href'
import { isFilePath } from '../../url/localize-links'
import { entryOf, existenceOf } from '../../url/page-availability'
import { createRedirectTable, isExternal, type RedirectRow } from '../../url/redirect-table'
import type { Connection } from '../database'
import type { Entry } from '../store/entry'
import type { Problem } from './front-matter'
import { redirectsFile } from './redirect-rows'
import type { FrontMatter } from '../schemas'
import { createStatements } from '../store/statements'

type Row = Entry & { path: string; html: string; front: FrontMatter[keyof FrontMatter] }

const day = 24 * 60 * 60 * 1000
const list = (codes: readonly LocaleCode[]): string =>
  codes.length === localeCodes.length ? 'every language' : codes.join(', ')

/**
 * What a schema cannot see, because it is about several texts or about today: links and anchors in every language in
 * which a text is shown, images without words, texts that no page shows, titles and descriptions that repeat or are too
 * long, facts about others that were checked too long ago, redirect rows that lead nowhere.
 */
export function checkContent(db: Connection, content: string, today = Date.now()): Problem[] {
  const statements = createStatements(db)
  const store = {
    localesOf: (collection: Entry['collection'], id: string): LocaleCode[] =>
      statements.localesOf.all(collection, id).map(({ locale }) => locale),
  }
  const redirects = createRedirectTable(
    JSON.parse(statements.document.get('redirects')?.json ?? '[]') as RedirectRow[],
  )
  const problems: Problem[] = []
  const sources = new Map<string, string>()

  /** A fragment as it is read; one that cannot be decoded stays as it is. */
  function readable(fragment: string): string {
    try {
      return decodeURIComponent(fragment)
    } catch {
      return fragment
    }
  }

  /** First line of a file that holds a text; 1 when none does. */
  function lineOf(path: string, text: string): number {
    const source =
      sources.get(path) ?? readFileSync(join(content, path.slice('content/'.length)), 'utf8')
    sources.set(path, source)
    return source.split('\n').findIndex((line) => line.includes(text)) + 1 || 1
  }
  const report = ({ path }: Pick<Row, 'path'>, text: string, reason: string): void =>
    void problems.push({ file: path, line: lineOf(path, text), reason })

  /** Why a link leads nowhere in a language, or null. A page that the language does not offer is replaced when the page is made. */
  function wrongIn(code: LocaleCode, path: string, anchor: string): string | null {
    const moved = redirects.find(path, code)
    if (moved) return `has moved to ${moved.to}`
    if (isFilePath(path)) return null
    const found = match(path)
    if (!found) return 'no such page'
    if (found.route.redirects) return 'is redirected: link to the page itself'
    const page = { route: found.route.id, params: found.params }
    if (redirectFor(page, code)) return null
    if (!existenceOf(page, store).served.includes(code)) return 'no such page'
    const entry = anchor === '' ? null : entryOf(page, store)
    if (!entry) return null
    const text = locales[code].fallback
      .map((source) => statements.entry.get(entry.collection, entry.id, source))
      .find(Boolean)
    // Compiled links are encoded, ids are not: `#%E9%99%90` means the heading `限`.
    const id = readable(anchor)
    return text && !text.html.includes(` id="${id}"`) ? `no such heading there: #${id}` : null
  }

  function checkLinks(row: Row, shownIn: readonly LocaleCode[]): void {
    const { html } = row
    for (const [, target = ''] of html.matchAll(/href="site:([^"]*)"/g)) {
      const [, path = '/', anchor = ''] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/.exec(target) ?? []
      const wrong = new Map<string, LocaleCode[]>()
      for (const code of shownIn) {
        const reason = wrongIn(code, path, anchor)
        if (reason) wrong.set(reason, [...(wrong.get(reason) ?? []), code])
      }
      for (const [reason, codes] of wrong)
        report(row, target, `link ${target}: ${reason} (in ${list(codes)})`)
    }
    for (const [, anchor = ''] of html.matchAll(/href="#([^"]*)"/g))
      if (anchor !== '' && !html.includes(` id="${anchor}"`))
        report(row, `#${anchor}`, `link #${anchor}: no such heading`)
    for (const [tag] of html.matchAll(/<img\b[^>]*>/g))
      if (/\balt=""/.test(tag) || !/\balt=/.test(tag))
        report(row, '![](', 'an image without alternative text')
  }

  /** Languages in which a page shows this very text. */
  function languagesOf(row: Row): LocaleCode[] {
    const written = store.localesOf(row.collection, row.id)
    return localeCodes.filter((code) => {
      const page = {
        route: routeOfCollection[row.collection],
        params: paramsOf(row.collection, row.id, code),
      }
      return (
        !redirectFor(page, code) &&
        locales[code].fallback.find((source) => written.includes(source)) === row.locale
      )
    })
  }

  function checkFacts(row: Row): void {
    const { front } = row
    if ('related' in front)
      for (const id of front.related ?? [])
        if (store.localesOf(row.collection, id).length === 0)
          report(row, 'related:', `related: there is no ${row.collection}/${id}`)
    if (!('comparison' in front)) return
    for (const { feature, theirs } of front.comparison) {
      if (theirs && today - Date.parse(theirs.checked) > contentChecks.factDays * day)
        report(
          row,
          theirs.checked,
          `"${feature}" was last checked on ${theirs.checked}, more than ${contentChecks.factDays} days ago`,
        )
    }
  }

  const seen = new Map<string, string>()
  function checkWords(row: Row): void {
    const most =
      locales[row.locale].spaceless && row.locale !== 'th'
        ? contentChecks.descriptionDense
        : contentChecks.description
    if ([...row.description].length > most)
      report(
        row,
        'description:',
        `the description has ${[...row.description].length} letters; search results show ${most}`,
      )
    for (const [what, text] of [
      ['title', row.title],
      ['description', row.description],
    ] as const) {
      const key = `${row.locale} ${what} ${text}`
      const other = seen.get(key)
      if (other) report(row, `${what}:`, `the same ${what} as ${other}`)
      else seen.set(key, row.path)
    }
  }

  for (const stored of db
    .prepare<[], Omit<Row, 'front'> & { front: string }>(
      'SELECT key, collection, id, locale, title, description, date, updated, category, position, minutes, path, html, front FROM articles WHERE live = 1 ORDER BY path',
    )
    .iterate()) {
    const row: Row = { ...stored, front: JSON.parse(stored.front) as Row['front'] }
    const shownIn = languagesOf(row)
    if (shownIn.length === 0)
      report(row, 'title:', 'no page shows this text: the language does not offer it')
    checkLinks(row, shownIn)
    checkFacts(row)
    checkWords(row)
    sources.clear()
  }
  for (const { from, to, line, locales: only } of redirects.rows) {
    const path = to.split(/[?#]/, 1)[0] ?? to
    if (isExternal(to) || to.includes(':splat')) continue
    const wrong = (only ?? localeCodes).filter((code) => {
      const { prefix } = locales[code]
      const rest =
        prefix !== '' && (path === prefix || path.startsWith(`${prefix}/`))
          ? path.slice(prefix.length) || '/'
          : path
      return !redirects.find(rest, code) && wrongIn(code, rest, '') !== null
    })
    if (wrong.length > 0)
      problems.push({
        file: redirectsFile,
        line,
        reason: `${from}: leads to ${to}, where no page is (in ${list(wrong)})`,
      })
  }
  return problems
}
