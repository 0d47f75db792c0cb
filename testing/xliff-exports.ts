/** Exports of the project's texts and articles as XLIFF. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathOf, unitsOf, type TranslationFile } from '../server/ops/xliff/translation-file'
import { writeXliff } from '../server/ops/xliff/write-xliff'
import type { XliffFile } from '../server/ops/xliff/xliff-document'
import type { TranslationFolders } from '../server/content/translations/translation-files'
import { isCollection } from '../shared/front-matter'
import { locales, type LocaleCode } from '../shared/i18n/locales'
import { namespaces } from '../shared/i18n/namespaces'
import { root } from './root'

export const projectFolders: TranslationFolders = {
  content: join(root, 'content'),
  locales: join(root, 'locales'),
}

export const textFiles = (locale: LocaleCode): TranslationFile[] =>
  namespaces.map((namespace) => ({ kind: 'texts', locale, namespace }))

export const articleFiles = (locale: LocaleCode): TranslationFile[] =>
  readdirSync(projectFolders.content)
    .filter(isCollection)
    .flatMap((collection) =>
      readdirSync(join(projectFolders.content, collection)).map((id): TranslationFile => ({
        kind: 'article',
        locale,
        collection,
        id,
      })),
    )

/** The files that have something to translate, with their texts. */
export const exportedFiles = (
  folders: TranslationFolders,
  list: readonly TranslationFile[],
): XliffFile[] =>
  list.flatMap((one) => {
    const units = unitsOf(folders, one)
    return 'reason' in units ? [] : [{ original: pathOf(one), units }]
  })

export const toXliff = (locale: LocaleCode, files: XliffFile[]): string =>
  writeXliff({ sourceLanguage: 'en-US', targetLanguage: locales[locale].language, files })
