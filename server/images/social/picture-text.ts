import { createHash } from 'node:crypto'
import { locales } from '../../../shared/i18n/locales'
import { reservedPaths } from '../../../shared/reserved-paths'
import type { PageView } from '../../../shared/view'

/**
 * The text on the sharing picture of a page. `language` (an ISO tag) selects the letter forms:
 * Chinese, Japanese and Korean share code points.
 */
export type PictureText = { title: string; brand: string; host: string; language: string }

/** Part of every picture's hash. Increase it when the drawing changes. */
const templateVersion = 1

/** Title of a page, without the brand and the page number. */
function titleOf({ data, seo, site, texts }: PageView): string {
  if (data && 'landing' in data) return data.landing.title
  if (data && 'article' in data) return data.article.title
  const lists = texts.lists?.['seo']
  const suffix =
    lists && typeof lists === 'object' && 'pageSuffix' in lists ? String(lists.pageSuffix) : ''
  const pageNumber =
    data && 'pagination' in data && data.pagination.page > 1
      ? suffix.replace('{{page}}', String(data.pagination.page))
      : ''
  const brand = ` | ${site.brand}`
  return withoutEnd(withoutEnd(seo.title, pageNumber), brand)
}

const withoutEnd = (text: string, end: string): string =>
  end !== '' && text.endsWith(end) ? text.slice(0, -end.length) : text

/** Host of an origin, with its port. */
const hostOf = (origin: string): string => origin.slice(origin.indexOf('//') + 2)

/** The text of a page's picture. A fallback page has the letter forms of the language it shows. */
export function pictureText(view: PageView): PictureText {
  const { data, locale, origins, site } = view
  const foreign =
    data && 'landing' in data
      ? data.landing.foreign
      : data && 'article' in data
        ? data.article.foreign
        : undefined
  return {
    title: titleOf(view),
    brand: site.brand,
    host: hostOf(origins[locales[locale].domain]),
    language: foreign?.lang ?? locales[locale].language,
  }
}

/** Names a picture by its text: the same address always shows the same picture. */
export const pictureHash = (text: PictureText): string =>
  createHash('sha256')
    .update(JSON.stringify([templateVersion, text.title, text.brand, text.host, text.language]))
    .digest('hex')
    .slice(0, 16)

/**
 * Path of a page's picture on the page's host: `/_og/{hash}/es/blog/x.png`, and
 * `/_og/{hash}/index.png` for the home page.
 */
export const picturePath = (view: PageView, text = pictureText(view)): string =>
  `${reservedPaths.socialPictures.path}/${pictureHash(text)}${view.path === '/' ? '/index' : view.path}.png`
