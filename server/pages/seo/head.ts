import { socialPicture } from '../../../shared/constants'
import { escapeHtml } from '../../../shared/escape-html'
import { locales, type LocaleCode } from '../../../shared/i18n/locales'
import type { Product } from '../../../shared/product-schema'
import type { PageView } from '../../../shared/view'
import { picturePath, pictureText } from '../../images/social/picture-text'
import { feedPath, feedsIn } from '../../url/feed-paths'
import { themeScript } from '../render/content-security-policy'
import { jsonLd, menuText } from './json-ld'

const meta = (name: string, content: string): string =>
  content === '' ? '' : `<meta name="${name}" content="${escapeHtml(content)}">`
const property = (name: string, content: string): string =>
  `<meta property="${name}" content="${escapeHtml(content)}">`

/** In `public/`: the icon of the browser tab, and the logo in structured data. */
const favicon = '/favicon.svg'

const openGraphLocale = (code: LocaleCode): string => locales[code].language.replace('-', '_')

/** Links to the feeds of the language, and to the Markdown of a page that shows an entry. */
function alternateFormats(view: PageView): string[] {
  const { locale, origins, site, data, path, seo } = view
  const origin = origins[locales[locale].domain]
  const link = (type: string, title: string, href: string): string => {
    const titleAttribute = title ? ` title="${escapeHtml(title)}"` : ''
    return `<link rel="alternate" type="${type}"${titleAttribute} href="${escapeHtml(href)}">`
  }
  const hasMarkdown =
    data !== null && ('article' in data || 'landing' in data) && seo.canonical !== null
  return [
    ...feedsIn(locale).map((collection) =>
      link(
        'application/atom+xml',
        `${site.brand} ${menuText(view, `NAVBAR_${collection.toUpperCase()}`)}`,
        origin + feedPath(collection, locale),
      ),
    ),
    ...(hasMarkdown ? [link('text/markdown', '', `${origin}${path}.md`)] : []),
  ]
}

/** How social networks show a page: Open Graph, and the tags of Twitter cards. */
function sharingTags(view: PageView, image: string, title: string): string[] {
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
    ...(article?.date ? [property('article:published_time', article.date.day)] : []),
    ...(article?.updated ? [property('article:modified_time', article.updated.day)] : []),
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

/** The page's part of the head: the browser replaces it when it navigates without a page load. */
export function renderPageHead(view: PageView, product: Product): string {
  const { seo, locale, origins } = view
  const picture = pictureText(view)
  const { title } = picture
  const image = origins[locales[locale].domain] + picturePath(view, picture)
  const structuredData = jsonLd(view, title, favicon, image, product)
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
    ...alternateFormats(view),
    // Error pages are not shared.
    ...(seo.canonical ? sharingTags(view, image, title) : []),
    // The content security policy does not apply to data blocks.
    structuredData ? `<script type="application/ld+json">${structuredData}</script>` : '',
  ].join('')
}

/** Everything in `<head>`. `operatorTags`: the operator's verification tags. */
export function renderHead(
  view: PageView,
  product: Product,
  css: readonly string[],
  operatorTags: string,
): string {
  return [
    '<meta charset="utf-8">',
    `<script>${themeScript}</script>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    meta('color-scheme', 'light dark'),
    `<link rel="icon" href="${favicon}" type="image/svg+xml">`,
    ...css.map((file) => `<link rel="stylesheet" href="${file}">`),
    operatorTags,
    renderPageHead(view, product),
  ].join('')
}
