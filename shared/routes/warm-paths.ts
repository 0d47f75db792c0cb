import { localeCodes, locales, type HostName, type LocaleCode } from '../i18n/locales'
import { industries, redirectFor, switchLocale, type Page } from './availability'
import { href } from './href'
import { alternativeIds, featureIds, solutionIds } from './nav'
import { routes } from './table'

/** Kinds of pages that visitors enter by and that show many entries: first the home pages, then lists, then landing pages. */
const lists: readonly Page[] = routes
  .filter(
    ({ pattern, load }) =>
      !pattern.includes('{') &&
      ['articles', 'sections', 'landings', 'partners', 'releases'].includes(load.kind),
  )
  .map(({ id }) => ({ route: id, params: {} }))
const landings: readonly Page[] = [
  ...solutionIds.map((id): Page => ({ route: 'solution', params: { id } })),
  ...[...featureIds, ...industries.map(({ id }) => id)].map((html): Page => ({
    route: 'single',
    params: { html },
  })),
  ...alternativeIds.map((id): Page => ({ route: 'alternative', params: { id } })),
]

/** Path of a page in a language, under the address that it has there; null where it is not offered. */
function pathIn(page: Page, code: LocaleCode): string | null {
  const same = switchLocale(page, code)
  return same && !redirectFor(same, code) ? href(code, same.route, same.params) : null
}

export type WarmPaths = Readonly<Record<HostName, readonly string[]>>

/**
 * Paths that are worth rendering before anybody asks, by host, in the order in which they are (decisions 8). It is what
 * route table, availability and named ids know: content is read at run time, so that one of them may name nothing.
 */
export function warmPaths(): WarmPaths {
  const pages: readonly Page[] = [{ route: 'home', params: {} }, ...lists, ...landings]
  const on = (host: HostName): string[] => {
    const codes = localeCodes.filter((code) => locales[code].domain === host)
    return [...new Set(pages.flatMap((page) => codes.flatMap((code) => pathIn(page, code) ?? [])))]
  }
  return { en: on('en'), zh: on('zh'), ru: on('ru') }
}
