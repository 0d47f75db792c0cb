import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LocaleCode } from '../../../shared/i18n/locales'
import type { Namespace } from '../../../shared/i18n/namespaces'
import { OperatorError } from '../../errors'
import { parseTexts } from '../parse-texts'
import type { FlatTexts } from './flatten'

/** `content/` and `locales/`. */
export type TranslationFolders = { content: string; locales: string }

/**
 * The object in a JSON file; an empty one where there is no file. Throws an `OperatorError` that
 * names the file if it is malformed.
 */
export function readJson(file: string): Record<string, unknown> {
  if (!existsSync(file)) return {}
  const parsed = parseTexts(readFileSync(file, 'utf8'))
  if ('texts' in parsed) return parsed.texts
  throw new OperatorError(`${file}, line ${parsed.problem.line}: ${parsed.problem.reason}`)
}

export const textsFile = (
  { locales }: TranslationFolders,
  locale: LocaleCode,
  namespace: Namespace,
): string => join(locales, locale, `${namespace}.json`)
/** Stores the hash of the English text at the time of each translation: `namespace:key` to hash. */
export const hashFile = ({ locales }: TranslationFolders, locale: LocaleCode): string =>
  join(locales, locale, '.sources.json')

export const readHashes = (
  folders: TranslationFolders,
  locale: LocaleCode,
  namespace: string,
): FlatTexts =>
  Object.fromEntries(
    // The cast: only this program writes the file.
    Object.entries(readJson(hashFile(folders, locale)) as Record<string, string>)
      .filter(([key]) => key.startsWith(`${namespace}:`))
      .map(([key, hash]) => [key.slice(namespace.length + 1), hash]),
  )

// Several expressions, because lint takes many times longer to decide one with all of them.
const factFields = [
  /^(?:date|category|section$|order|kind$|icon|cover$|product$|website|since|files\.)/,
  /^(?:tags|related|documents)\.\d/,
  /^comparison\.\d+\.theirs\.(?:source|checked)/,
  /\.(?:kind|tone|icon|system|url|checked)$/,
]
/** Whether a field of front matter is a fact instead of text: it must equal that of the source. */
export const isFactField = (field: string): boolean =>
  factFields.some((pattern) => pattern.test(field))

/** The day of an article's last change; a translation with an earlier one is outdated. */
export const dateOf = (frontMatter: FlatTexts): string =>
  frontMatter['updated'] ?? frontMatter['date'] ?? ''
