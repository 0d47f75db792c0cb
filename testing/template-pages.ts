/** One page for each template and each variant of a template. */
import { redirectFor, type Page } from '../shared/routes/availability'
import type { LocaleCode } from '../shared/i18n/locales'
import { routes } from '../shared/routes/table'
import { contentPages, plainPages } from './pages'

/**
 * The entry that uses most features of its template; without a row, the first of its collection.
 */
const chosen: readonly Page[] = [
  { route: 'blog-article', params: { id: 'choosing-a-proxy-type' } },
  { route: 'doc', params: { id: 'automation' } },
  { route: 'doc', params: { id: 'proxies' } },
  { route: 'alternative', params: { id: 'gologin' } },
  { route: 'solution', params: { id: 'e-commerce' } },
  { route: 'single', params: { html: 'synchronizer' } },
  { route: 'single', params: { html: 'rpa' } },
  { route: 'single', params: { html: 'local-api' } },
  { route: 'single', params: { html: 'agencies' } },
  { route: 'single', params: { html: 'privacy' } },
]

const firstOf = (route: string): Page[] =>
  [...plainPages, ...contentPages].filter((page) => page.route === route).slice(0, 1)

export const templatePages: readonly Page[] = routes
  .filter((route) => !('redirects' in route))
  .flatMap((route): readonly Page[] => {
    const known = chosen.filter((page) => page.route === route.id)
    return known.length > 0 ? known : firstOf(route.id)
  })

/** The pages among them that a language offers. */
export const templatePagesIn = (code: LocaleCode): Page[] =>
  templatePages.filter((page) => !redirectFor(page, code))
