import { localeCodes, locales, type HostName, type LocaleCode } from '../i18n/locales'
import { industries, switchLocale, type Page } from './availability'
import { href } from './href'
import { alternativeIds, featureIds, solutionIds } from './nav'
import { routes } from './table'

/** Lists, which show many entries and are expensive to render. */
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

/** Path of a page in a language; null where the language does not offer it. */
function pathIn(page: Page, code: LocaleCode): string | null {
  const offered = switchLocale(page, code)
  return offered && href(code, offered.route, offered.params)
}

export type WarmPaths = Readonly<Record<HostName, readonly string[]>>

/**
 * Paths to render after the start, before visitors request them, by host: home pages, then lists,
 * then landing pages. The build knows them from the route table, availability and fixed ids.
 * Content is read at run time, so a path may turn out to be not found.
 */
export function warmPaths(): WarmPaths {
  const pages: readonly Page[] = [{ route: 'home', params: {} }, ...lists, ...landings]
  const on = (host: HostName): string[] => {
    const codes = localeCodes.filter((code) => locales[code].domain === host)
    return [...new Set(pages.flatMap((page) => codes.flatMap((code) => pathIn(page, code) ?? [])))]
  }
  return { en: on('en'), zh: on('zh'), ru: on('ru') }
}
