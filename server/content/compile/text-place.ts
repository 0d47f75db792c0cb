import { isCollection, type Collection } from '../../../shared/content'
import { isLocaleCode, type LocaleCode } from '../../../shared/i18n/locales'
import { limits } from '../../../shared/constants'
import { idPattern } from '../schemas'

/** Which text a file holds. */
export type Place = { collection: Collection; id: string; locale: LocaleCode }

/** `blog/proxy-types/en.md` as collection, id and language; a reason where the path names none. Null: not a Markdown file. */
export function placeOf(path: string): Place | { reason: string } | null {
  const [collection = '', id = '', file = '', ...rest] = path.split('/')
  if (!file.endsWith('.md') || rest.length > 0) return null
  const locale = file.slice(0, -3)
  if (!isCollection(collection)) return { reason: `"${collection}" is no collection` }
  if (!idPattern(collection).test(id) || id.length > limits.nameLength)
    return {
      reason: `"${id}" is no id: lower-case letters, digits and hyphens, at most ${limits.nameLength}`,
    }
  if (!isLocaleCode(locale)) return { reason: `"${locale}" is no language code` }
  return { collection, id, locale }
}
