import type { Collection } from '../../../shared/front-matter'
import { isLocaleCode, type LocaleCode } from '../../../shared/i18n/locales'
import { namespaces, type Namespace } from '../../../shared/i18n/namespaces'
import { parseContentPath } from '../../content/compile/content-path'
import type { TranslationFolders } from '../../content/translations/translation-files'
import {
  articleUnits,
  composeArticle,
  isOutdated,
  readPair,
  resultOrRefusal,
  type Refusal,
} from './article-units'
import { composeTexts, textUnits } from './text-units'
import type { XliffUnit } from './xliff-document'

/** What a translation is of: the interface texts of a namespace, or an article. */
export type TranslationFile =
  | { kind: 'texts'; locale: LocaleCode; namespace: Namespace }
  | { kind: 'article'; locale: LocaleCode; collection: Collection; id: string }

export const pathOf = (file: TranslationFile): string =>
  file.kind === 'texts'
    ? `locales/${file.locale}/${file.namespace}.json`
    : `content/${file.collection}/${file.id}/${file.locale}.md`

/**
 * The file at a path of an XLIFF document. Null for every other path, so nothing else is written.
 */
export function parsePath(path: string): TranslationFile | null {
  const [, code, name] = /^locales\/(\w+)\/([\w-]+)\.json$/.exec(path) ?? []
  const namespace = namespaces.find((known) => known === name)
  if (isLocaleCode(code) && code !== 'en' && namespace)
    return { kind: 'texts', locale: code, namespace }
  const article = path.startsWith('content/')
    ? parseContentPath(path.slice('content/'.length))
    : null
  return article && 'id' in article && article.locale !== 'en'
    ? { kind: 'article', ...article }
    : null
}

/** The units of a file as they are now. */
export function unitsOf(folders: TranslationFolders, file: TranslationFile): XliffUnit[] | Refusal {
  if (file.kind === 'texts')
    return resultOrRefusal(() => textUnits(folders, file.locale, file.namespace))
  const pair = readPair(folders, file)
  return 'reason' in pair ? pair : articleUnits(pair)
}

/** The file with changed texts, and what is wrong with it. */
export function compose(
  folders: TranslationFolders,
  file: TranslationFile,
  units: readonly XliffUnit[],
  changed: ReadonlyMap<string, string>,
  followsSource: boolean,
): { text: string; problems: Array<{ unit: string; reason: string }> } {
  if (file.kind === 'texts')
    return composeTexts(folders, file.locale, file.namespace, units, changed)
  const pair = readPair(folders, file)
  return 'reason' in pair
    ? { text: '', problems: [{ unit: '', reason: pair.reason }] }
    : composeArticle(pair, file.collection, units, changed, followsSource)
}

/** Path of the English text of a file. */
export const englishPath = (file: TranslationFile): string => pathOf({ ...file, locale: 'en' })

/** Whether an article's source has changed since the translation, by their dates. */
export function isOutdatedArticle(folders: TranslationFolders, file: TranslationFile): boolean {
  const pair = file.kind === 'article' ? readPair(folders, file) : null
  return pair !== null && !('reason' in pair) && isOutdated(pair)
}
