import type { Collection } from '../../../shared/front-matter'
import { limits } from '../../../shared/constants'
import { idPattern, isCollection } from '../../../shared/front-matter'
import { isLocaleCode, type LocaleCode } from '../../../shared/i18n/locales'
import { isApiPage, openApiPath } from '../source-path'

/** The article and language that a Markdown file is the text of. */
export type ArticleKey = { collection: Collection; id: string; locale: LocaleCode }

/**
 * Reads `blog/proxy-types/en.md` as collection, id and language. Returns a reason where one of
 * them is not valid, and null for files that are no articles.
 */
export function parseContentPath(path: string): ArticleKey | { reason: string } | null {
  const [collection = '', id = '', file = '', ...rest] = path.split('/')
  if (!file.endsWith('.md') || rest.length > 0) return null
  const locale = file.slice(0, -3)
  if (!isCollection(collection)) return { reason: `"${collection}" is not a collection` }
  const { maxNameLength } = limits
  if (!idPattern(collection).test(id) || id.length > maxNameLength)
    return {
      reason: `"${id}" is not an id: lower-case letters, digits and hyphens, at most ${maxNameLength}`,
    }
  if (!isLocaleCode(locale)) return { reason: `"${locale}" is not a language code` }
  if (isApiPage({ collection, id, locale }))
    return {
      reason: `"${id}" in English is made from content/${openApiPath}: choose an id without api-`,
    }
  return { collection, id, locale }
}
