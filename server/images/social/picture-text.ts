import { createHash } from 'node:crypto'
import { locales } from '../../../shared/i18n/locales'
import type { PageView } from '../../../shared/view'

/** Everything that is drawn on the picture a page is shared with, and the language that decides which forms its letters take. */
export type PictureText = { title: string; brand: string; host: string; language: string }

/** Change it with the template: pictures made by another are other pictures. */
const template = 1

/** What a page is called, without brand and page number. */
function titleOf({ data, seo, site, texts }: PageView): string {
  if (data && 'landing' in data) return data.landing.title
  if (data && 'article' in data) return data.article.title
  const lists = texts.lists?.['seo']
  const suffix =
    lists && typeof lists === 'object' && 'pageSuffix' in lists ? String(lists.pageSuffix) : ''
  const page =
    data && 'pagination' in data && data.pagination.page > 1
      ? suffix.replace('{{page}}', String(data.pagination.page))
      : ''
  const title =
    page !== '' && seo.title.endsWith(page) ? seo.title.slice(0, -page.length) : seo.title
  const brand = ` | ${site.brand}`
  return title.endsWith(brand) ? title.slice(0, -brand.length) : title
}

/** Host of an origin, port included. */
const hostOf = (origin: string): string => origin.slice(origin.indexOf('//') + 2)

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
    language: locales[foreign ?? locale].language,
  }
}

/** Names a picture: the same text gives the same name, so that a picture never changes and is kept for good. */
export const pictureHash = (text: PictureText): string =>
  createHash('sha256')
    .update(JSON.stringify([template, text.title, text.brand, text.host, text.language]))
    .digest('hex')
    .slice(0, 16)

/** Path of a page's picture on its own host: `/_og/{hash}/es/blog/x.png`; of the home page `/_og/{hash}/index.png`. */
export const picturePath = (view: PageView, text = pictureText(view)): string =>
  `/_og/${pictureHash(text)}${view.path === '/' ? '/index' : view.path}.png`
