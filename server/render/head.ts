import type { AssetGroup } from '../build-info'
import type { PageView } from '../../shared/view'
import { locales } from '../../shared/i18n/locales'
import { themeScript } from './content-security-policy'

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (char) => escapes[char] ?? char)

const meta = (name: string, content: string): string => (content === '' ? '' : `<meta name="${name}" content="${escapeHtml(content)}">`)
const property = (name: string, content: string): string => `<meta property="${name}" content="${escapeHtml(content)}">`

/** What the head says of one page; the browser puts it in the place of the last page's when it moves about without loading. */
export function pageHead({ seo, site, locale, path }: PageView): string {
  return [
    `<title>${escapeHtml(seo.title)}</title>`,
    meta('description', seo.description),
    meta('keywords', seo.keywords),
    seo.robots ? meta('robots', seo.robots) : '',
    seo.canonical ? `<link rel="canonical" href="${escapeHtml(seo.canonical)}">` : '',
    ...seo.alternates.map(({ hreflang, href }) => `<link rel="alternate" hreflang="${hreflang}" href="${escapeHtml(href)}">`),
    property('og:type', path.includes('/blog/') || path.includes('/news/') ? 'article' : 'website'),
    property('og:site_name', site.brand),
    property('og:title', seo.title),
    property('og:description', seo.description),
    seo.canonical ? property('og:url', seo.canonical) : '',
    property('og:locale', locales[locale].language.replace('-', '_')),
  ].join('')
}

/** Everything in `<head>`, complete before the first byte is sent. */
export function renderHead(view: PageView, css: readonly string[], favicon: string): string {
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
export const pageAssets = (main: AssetGroup, page: AssetGroup | undefined): AssetGroup => ({ js: [...main.js, ...(page?.js ?? [])], css: [...new Set([...main.css, ...(page?.css ?? [])])] })
