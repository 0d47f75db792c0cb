import { localeCodes, locales, type LocaleCode } from '../../../shared/i18n/locales'
import { compareText, pluralKey } from '../../content/translations/compare'
import {
  glossaryForNamespace,
  glossaryOf,
  type Glossary,
} from '../../content/translations/glossary'
import type { TranslationFolders } from '../../content/translations/translation-files'
import type { TranslationSource } from '../../db/translation-sources'
import { OperatorError } from '../../errors'
import { codesOf, tokenize } from './inline-codes'
import { readXliff } from './read-xliff'
import { acceptedSources } from './translation-sources'
import { composeHashes } from './text-units'
import {
  compose,
  isOutdatedArticle,
  parsePath,
  unitsOf,
  type TranslationFile,
} from './translation-file'
import type { XliffFile, XliffUnit } from './xliff-document'

export type Remark = { unit: string; reason: string }
type ImportedFile = {
  path: string
  /** Texts that differ from those of the site. */
  changed: number
  untranslated: number
  /** A file with problems is not imported. */
  problems: Remark[]
  /** What a person should look at. */
  warnings: Remark[]
}
export type ImportResult = {
  locale: LocaleCode
  files: ImportedFile[]
  /** What to write: path and text. */
  output: Array<{ path: string; text: string }>
  /** The English texts that the accepted translations were made from. */
  sources: TranslationSource[]
}
type Checked = {
  changed: Map<string, string>
  accepted: XliffUnit[]
  report: Omit<ImportedFile, 'path' | 'changed'>
}

/** Anchors differ by language, because they are made from headings. */
const withoutAnchor = (code: string): string => code.replace(/#[^)\s"']*/g, '')

/** What is wrong with the codes of a translation. Not every plural form shows its count. */
function codeProblems(unit: XliffUnit, target: string): string[] {
  const isOptional = (code: string): boolean =>
    pluralKey.test(unit.name) && code.replace(/\s/g, '') === '{{count}}'
  const codes = (text: string): string[] =>
    codesOf(tokenize(text, unit.isMarkdown))
      .map(withoutAnchor)
      .filter((one) => !isOptional(one))
  const left = codes(target)
  const missing = codes(unit.source).filter((code) => {
    const index = left.indexOf(code)
    if (index >= 0) left.splice(index, 1)
    return index < 0
  })
  return [
    ...missing.map((code) => `${code} is missing`),
    ...left.map((code) => `${code} is not in the source`),
  ]
}

/** Compares what was sent with the texts as they are now. */
function checkUnits(
  current: readonly XliffUnit[],
  sent: XliffFile,
  locale: LocaleCode,
  glossary: Glossary,
): Checked {
  const byName = new Map(current.map((unit) => [unit.name, unit]))
  const checked: Checked = {
    changed: new Map(),
    accepted: [],
    report: { untranslated: 0, problems: [], warnings: [] },
  }
  const { changed, accepted, report } = checked
  for (const { name, source, target, isDone } of sent.units) {
    const unit = byName.get(name)
    const refuse = (reason: string): void => void report.problems.push({ unit: name, reason })
    if (!unit) refuse('the site has no such text any more')
    else if (target === null || target.trim() === '') report.untranslated += 1
    else if (target === unit.target) {
      if (isDone) accepted.push(unit)
    } else if (source !== unit.source) refuse('the source has changed since the export')
    else if ((changed.get(name) ?? target) !== target) refuse('it has two different translations')
    else {
      codeProblems(unit, target).forEach(refuse)
      changed.set(name, target)
      accepted.push(unit)
      for (const { kind, detail } of compareText(name, source, target, locale, glossary))
        if (kind === 'glossary' || kind === 'number' || kind === 'untranslated')
          report.warnings.push({ unit: name, reason: `${kind}: ${detail}` })
    }
  }
  return checked
}

function localeOfTag(tag: string): LocaleCode {
  const locale = localeCodes.find((code) => locales[code].language === tag)
  if (locale && locale !== 'en') return locale
  const known = localeCodes.filter((code) => code !== 'en').map((code) => locales[code].language)
  throw new OperatorError(`trgLang "${tag}" is not accepted: one of ${known.join(', ')}`)
}

/** Checks a file of a document. `text` is null when nothing changes or something is wrong. */
function importFile(
  folders: TranslationFolders,
  sent: XliffFile,
  locale: LocaleCode,
  glossary: Glossary,
) {
  const refused = (reason: string) => ({
    file: null,
    accepted: [],
    text: null,
    sources: [],
    report: {
      path: sent.original,
      changed: 0,
      untranslated: 0,
      problems: [{ unit: '', reason }],
      warnings: [],
    } satisfies ImportedFile,
  })
  const file: TranslationFile | null = parsePath(sent.original)
  if (file?.locale !== locale) return refused('this is no translation of the site into trgLang')
  const current = unitsOf(folders, file)
  if ('reason' in current) return refused(current.reason)
  const part = file.kind === 'texts' ? file.namespace : 'content'
  const { changed, accepted, report } = checkUnits(
    current,
    sent,
    locale,
    glossaryForNamespace(glossary, part),
  )
  const followsSource =
    report.untranslated === 0 && sent.units.length > 0 && accepted.length >= sent.units.length
  const isChanged = changed.size > 0 || (followsSource && isOutdatedArticle(folders, file))
  const composed = isChanged
    ? compose(folders, file, current, changed, followsSource)
    : { text: null, problems: [] }
  const problems = [...report.problems, ...composed.problems]
  const isRefused = problems.length > 0
  return {
    file,
    accepted: isRefused ? [] : accepted,
    text: isRefused ? null : composed.text,
    sources: isRefused ? [] : acceptedSources(folders, file, accepted, followsSource),
    report: { path: sent.original, changed: changed.size, ...report, problems },
  }
}

/**
 * Checks an XLIFF document against the site's texts. Throws an `OperatorError` for a document that
 * cannot be read; what is wrong with single texts is in the result.
 */
export function importXliff(folders: TranslationFolders, xml: string): ImportResult {
  const document = readXliff(xml)
  const locale = localeOfTag(document.targetLanguage)
  const glossary = glossaryOf(folders)
  const results = document.files.map((sent) => importFile(folders, sent, locale, glossary))
  const output = results.flatMap(({ text, report }) =>
    text === null ? [] : [{ path: report.path, text }],
  )
  const recorded = results.flatMap(({ file, accepted }) =>
    file?.kind === 'texts'
      ? accepted.map(({ name, source }) => ({ namespace: file.namespace, name, source }))
      : [],
  )
  const hashes = composeHashes(folders, locale, recorded)
  if (hashes !== null) output.push({ path: `locales/${locale}/.sources.json`, text: hashes })
  return {
    locale,
    files: results.map(({ report }) => report),
    output,
    sources: results.flatMap(({ sources }) => sources),
  }
}
