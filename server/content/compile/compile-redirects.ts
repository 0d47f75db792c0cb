import { isLocaleCode, locales, type LocaleCode } from '../../../shared/i18n/locales'
import { redirectFor } from '../../../shared/routes/availability'
import { match } from '../../../shared/routes/match'
import { existenceOf } from '../../url/page-availability'
import { checkRedirects } from '../../url/check-redirects'
import type { UrlContext } from '../../url/canonicalize'
import type { RedirectRow } from '../../url/redirect-table'
import type { Connection } from '../database'
import type { Problem } from './front-matter'
import { parseRedirects, redirectsFile } from './redirect-rows'
import { createStatements } from '../store/statements'

/**
 * `content/redirects.yaml` as the servers use it: canonical rows in their order, without those that are bad, repeated,
 * shadowed or loop; every such row is named with its line.
 */
export function compileRedirects(
  source: string,
  db: Connection,
  preSales: boolean,
): { rows: RedirectRow[]; problems: Problem[] } {
  const { rows, problems } = parseRedirects(source)
  if (rows.length === 0) return { rows, problems }
  const statements = createStatements(db)
  const localesOf = (collection: string, id: string): LocaleCode[] =>
    statements.localesOf
      .all(collection, id)
      .map((row) => row.locale)
      .filter(isLocaleCode)
  const urlContext: Omit<UrlContext, 'origins' | 'redirects'> = {
    firstDoc: (locale) => statements.ordered('docs', locales[locale].fallback)[0]?.id ?? null,
    isSolution: (id) => localesOf('solutions', id).length > 0,
    preSales,
  }
  const isLive = (path: string, locale: LocaleCode): boolean => {
    const { prefix } = locales[locale]
    const found = match(prefix === '' ? path : path.slice(prefix.length) || '/')
    if (!found || found.route.redirects) return false
    const page = { route: found.route.id, params: found.params }
    return !redirectFor(page, locale) && existenceOf(page, { localesOf }).served.includes(locale)
  }
  const checked = checkRedirects(rows, urlContext, isLive)
  return {
    rows: checked.rows,
    problems: [
      ...problems,
      ...checked.reports.map(({ line, reason }) => ({ file: redirectsFile, line, reason })),
    ],
  }
}
