import { redirectFor } from '../../shared/routes/availability'
import { href, localePath } from '../../shared/routes/href'
import { match } from '../../shared/routes/match'
import type { LocaleCode } from '../../shared/i18n/locales'
import { escapeHtml } from '../../shared/escape-html'
import type { Texts } from '../../shared/view'
import type { Namespace } from '../../shared/i18n/namespaces'

/**
 * Whether a path names a file of `public/`. Only ids of releases contain dots, and URL rules remove
 * `.html`.
 */
export const isFilePath = (path: string): boolean =>
  /\.[a-z0-9]+$/i.test(path) && !path.endsWith('.html') && !path.startsWith('/release/')

/**
 * A link of an article in the language of the page. A link to a page that the language does not
 * offer leads to the page that visitors would be redirected to.
 */
export function localizeLink(target: string, locale: LocaleCode): string {
  const [, path = '/', rest = ''] = /^([^?#]*)(.*)$/s.exec(target) ?? []
  if (isFilePath(path)) return target
  const found = match(path)
  const replacement = found && redirectFor({ route: found.route.id, params: found.params }, locale)
  return (
    (replacement ? href(locale, replacement.route, replacement.params) : localePath(locale, path)) +
    rest
  )
}

const placeholders = /href="site:([^"]*)"|\{\{(anchor|admonition\.\w+)\}\}/g

/** Fills the placeholders of compiled HTML: links to this site, and texts of the interface. */
export function localizeHtml(
  html: string,
  {
    store,
    locale,
  }: {
    store: { texts: (locale: LocaleCode, namespace: Namespace) => Texts }
    locale: LocaleCode
  },
): string {
  // Cast: texts of the namespace have the shape of locales/en/article.json.
  const texts = store.texts(locale, 'article') as {
    anchor?: string
    admonition?: Record<string, string>
  }
  return html.replace(placeholders, (_, target: string | undefined, key: string | undefined) => {
    if (target !== undefined) return `href="${localizeLink(target, locale)}"`
    const text =
      key === 'anchor' ? texts.anchor : texts.admonition?.[key?.slice('admonition.'.length) ?? '']
    return escapeHtml(text ?? '')
  })
}
