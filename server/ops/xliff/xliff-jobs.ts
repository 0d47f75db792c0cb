import type { ImportAnswer, OpenText, TranslationList } from '../../../shared/console/translations'
import { locales, type LocaleCode } from '../../../shared/i18n/locales'
import { namespaces } from '../../../shared/i18n/namespaces'
import { glossaryOf } from '../../content/translations/glossary'
import type { TranslationFolders } from '../../content/translations/translation-files'
import type { TranslationSource } from '../../db/translation-sources'
import { OperatorError } from '../../errors'
import { importXliff } from './import-xliff'
import { saveTranslations } from './save-translations'
import { tarArchive } from './tar-archive'
import { parsePath, pathOf, unitsOf } from './translation-file'
import { writeXliff } from './write-xliff'
import { isOpen } from './xliff-document'

/** What is done with many translations at once. */
type Inputs = {
  /** Namespaces with texts to do or a broken file, and the glossary. */
  list: { folders: TranslationFolders; locale: LocaleCode }
  /** The XLIFF document of files. */
  export: {
    folders: TranslationFolders
    locale: LocaleCode
    paths: readonly string[]
    scope: 'open' | 'all'
  }
  /** Checks a document, and with `write` saves what it changes. */
  import: { folders: TranslationFolders; xliff: string; write: boolean }
}
type Results = {
  list: { texts: OpenText[]; glossary: TranslationList['glossary'] }
  export: string
  /** `sources`: the English texts that the accepted translations were made from. */
  import: { answer: ImportAnswer; sources: TranslationSource[] }
}
export type XliffJobKind = keyof Inputs
export type XliffJob<Kind extends XliffJobKind = XliffJobKind> = {
  [Each in Kind]: { kind: Each } & Inputs[Each]
}[Kind]
export type XliffResult<Kind extends XliffJobKind = XliffJobKind> = Results[Kind]

const countWords = (text: string): number => text.split(/\s+/).filter(Boolean).length

function list({ folders, locale }: Inputs['list']): Results['list'] {
  const texts = namespaces.flatMap((namespace): OpenText[] => {
    const file = { kind: 'texts' as const, locale, namespace }
    const row = { path: pathOf(file), title: namespace, views: null }
    const units = unitsOf(folders, file)
    if ('reason' in units) return [{ ...row, state: 'broken', texts: 0, words: 0 }]
    const open = units.filter(isOpen)
    const words = open.reduce((sum, { source }) => sum + countWords(source), 0)
    const isMissing = open.some(({ target }) => target === null)
    const state = isMissing ? 'missing' : 'outdated'
    return open.length === 0 ? [] : [{ ...row, state, texts: open.length, words }]
  })
  const glossary = glossaryOf(folders).terms.map(({ term, also }) => ({
    term,
    also: (also[locale] ?? []).join(', '),
  }))
  return { texts, glossary }
}

function exportFiles({ folders, locale, paths, scope }: Inputs['export']): string {
  const files = paths.flatMap((original) => {
    const file = parsePath(original)
    if (!file) throw new OperatorError('path: no such translation')
    const units = unitsOf(folders, file)
    if (!('reason' in units))
      return [{ original, units: scope === 'all' ? units : units.filter(isOpen) }]
    // One broken file does not hold back the others; the compiler reports it.
    if (paths.length > 1) return []
    throw new OperatorError(`path: ${units.reason}`)
  })
  const targetLanguage = locales[locale].language
  return writeXliff({ sourceLanguage: locales.en.language, targetLanguage, files })
}

function importDocument({ folders, xliff, write }: Inputs['import']): Results['import'] {
  const { locale, files, output, sources } = importXliff(folders, xliff)
  const isSaved = write && saveTranslations(folders, output)
  return {
    answer: {
      locale,
      files,
      written: isSaved ? output.map(({ path }) => path) : [],
      archive: write && !isSaved && output.length > 0 ? tarArchive(output) : null,
    },
    sources,
  }
}

/** Runs a job. Throws an `OperatorError` that says what is wrong with the input. */
export function runXliffJob(job: XliffJob): XliffResult {
  if (job.kind === 'list') return list(job)
  return job.kind === 'export' ? exportFiles(job) : importDocument(job)
}
