import { redirectFor } from '../../shared/routes/availability'
import { href, localePath } from '../../shared/routes/href'
import { match } from '../../shared/routes/match'
import type { LocaleCode } from '../../shared/i18n/locales'
import { escapeHtml } from '../../shared/escape-html'
import type { Texts } from '../../shared/view'
import type { Namespace } from '../../shared/i18n/namespaces'

/** A path that names a file of `public/` and no page: ids hold no dots but in releases, and `.html` is taken off pages. */
export const isFilePath = (path: string): boolean =>
  /\.[a-z0-9]+$/i.test(path) && !path.endsWith('.html') && !path.startsWith('/release/')

/** An unprefixed address of an article, in the language of the page; a page not offered there leads where its visitors go. */
export function localLink(target: string, locale: LocaleCode): string {
  const [, path = '/', rest = ''] = /^([^?#]*)(.*)$/.exec(target) ?? []
  if (isFilePath(path)) return target
  const found = match(path)
  const instead = found && redirectFor({ route: found.route.id, params: found.params }, locale)
  return (instead ? href(locale, instead.route, instead.params) : localePath(locale, path)) + rest
}

const marks = /href="site:([^"]*)"|\{\{(anchor|admonition\.\w+)\}\}/g

/** Fills in what compiled HTML leaves open: language prefixes of links to this site, and the few words of the interface. */
export function finishHtml(
  html: string,
  {
    store,
    locale,
  }: {
    store: { texts: (locale: LocaleCode, namespace: Namespace) => Texts }
    locale: LocaleCode
  },
): string {
  const texts = store.texts(locale, 'article') as {
    anchor?: string
    admonition?: Record<string, string>
  }
  return html.replace(marks, (_, target: string | undefined, key: string | undefined) => {
    if (target !== undefined) return `href="${localLink(target, locale)}"`
    const text =
      key === 'anchor' ? texts.anchor : texts.admonition?.[key?.slice('admonition.'.length) ?? '']
    return escapeHtml(text ?? '')
  })
}
