import { escapeHtml } from '../../../shared/escape-html'
import type { AssetGroup } from '../../build-info'
import type { PageView } from '../../../shared/view'
import { socialPicture } from '../../../shared/constants'
import { locales, type LocaleCode } from '../../../shared/i18n/locales'
import { feedPath, feedsIn } from '../../url/feed-paths'
import { picturePath, pictureText } from '../../images/social/picture-text'
import { themeScript } from '../render/content-security-policy'
import { jsonForScript } from '../render/json-for-script'
import { jsonLd } from './json-ld'

const meta = (name: string, content: string): string =>
  content === '' ? '' : `<meta name="${name}" content="${escapeHtml(content)}">`
const property = (name: string, content: string): string =>
  `<meta property="${name}" content="${escapeHtml(content)}">`

/** A file of `public/`: icon in the browser's tab, mark of the organization. */
const favicon = '/favicon.svg'

const openGraphLocale = (code: LocaleCode): string => locales[code].language.replace('-', '_')

/** Where the same is found in other forms: feeds of the language, and the Markdown of a page that shows an entry. */
function otherForms({ locale, origins, site, texts, data, path, seo }: PageView): string[] {
  const origin = origins[locales[locale].domain]
  const link = (type: string, title: string, href: string): string =>
    `<link rel="alternate" type="${type}"${title ? ` title="${escapeHtml(title)}"` : ''} href="${escapeHtml(href)}">`
  const name = (key: string): string =>
    typeof texts.shell?.[key] === 'string' ? String(texts.shell[key]) : ''
  const hasTwin =
    data !== null && ('article' in data || 'landing' in data) && seo.canonical !== null
  return [
    ...feedsIn(locale).map((collection) =>
      link(
        'application/atom+xml',
        `${site.brand} ${name(`NAVBAR_${collection.toUpperCase()}`)}`,
        origin + feedPath(collection, locale),
      ),
    ),
    ...(hasTwin ? [link('text/markdown', '', `${origin}${path}.md`)] : []),
  ]
}

/** How a page looks where it is shared: Open Graph, and the card of those who want their own words. */
function sharing(view: PageView, image: string, title: string): string[] {
  const { seo, site, locale, languages, data } = view
  const article = data && 'article' in data ? data.article : null
  return [
    property('og:type', article ? 'article' : 'website'),
    property('og:site_name', site.brand),
    property('og:title', seo.title),
    property('og:description', seo.description),
    ...(seo.canonical ? [property('og:url', seo.canonical)] : []),
    property('og:locale', openGraphLocale(locale)),
    ...(seo.alternates.length > 0
      ? languages
          .filter(
            ({ code, same }) =>
              same &&
              code !== locale &&
              seo.alternates.some(({ hreflang }) => hreflang === locales[code].language),
          )
          .map(({ code }) => property('og:locale:alternate', openGraphLocale(code)))
      : []),
    ...(article?.date ? [property('article:published_time', article.date)] : []),
    ...(article?.updated ? [property('article:modified_time', article.updated)] : []),
    ...(article?.category ? [property('article:section', article.category.label)] : []),
    ...(article?.tags ?? []).map(({ label }) => property('article:tag', label)),
    property('og:image', image),
    property('og:image:type', 'image/png'),
    property('og:image:width', String(socialPicture.width)),
    property('og:image:height', String(socialPicture.height)),
    property('og:image:alt', title),
    meta('twitter:card', 'summary_large_image'),
    meta('twitter:title', seo.title),
    meta('twitter:description', seo.description),
    meta('twitter:image', image),
  ]
}

/** What the head says of one page; the browser puts it in the place of the last page's when it moves about without loading. */
export function pageHead(view: PageView): string {
  const { seo, locale, origins } = view
  const picture = pictureText(view)
  const { title } = picture
  const image = origins[locales[locale].domain] + picturePath(view, picture)
  const data = jsonLd(view, title, favicon, image)
  return [
    `<title>${escapeHtml(seo.title)}</title>`,
    meta('description', seo.description),
    meta('keywords', seo.keywords),
    seo.robots ? meta('robots', seo.robots) : '',
    seo.canonical ? `<link rel="canonical" href="${escapeHtml(seo.canonical)}">` : '',
    ...seo.alternates.map(
      ({ hreflang, href }) =>
        `<link rel="alternate" hreflang="${hreflang}" href="${escapeHtml(href)}">`,
    ),
    ...otherForms(view),
    // A page that is none has nothing to be shared.
    ...(seo.canonical ? sharing(view, image, title) : []),
    // A data block: no policy of scripts concerns it, and nothing in it can end the element.
    data ? `<script type="application/ld+json">${jsonForScript(data)}</script>` : '',
  ].join('')
}

/** Everything in `<head>`, complete before the first byte is sent. */
export function renderHead(view: PageView, css: readonly string[]): string {
  return [
    '<meta charset="utf-8">',
    `<script>${themeScript}</script>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    meta('color-scheme', 'light dark'),
    `<link rel="icon" href="${favicon}" type="image/svg+xml">`,
    ...css.map((file) => `<link rel="stylesheet" href="${file}">`),
    pageHead(view),
  ].join('')
}

/** CSS and scripts that a page needs at once: the entry's and its own chunk's. */
export const pageAssets = (main: AssetGroup, page: AssetGroup | undefined): AssetGroup => ({
  js: [...main.js, ...(page?.js ?? [])],
  css: [...new Set([...main.css, ...(page?.css ?? [])])],
})
