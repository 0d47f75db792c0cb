import { createHash } from 'node:crypto'
import { locales, type LocaleCode } from '../../shared/i18n/locales'
import type { FlatTexts } from './flatten'
import type { Glossary } from './glossary'

export const findingKinds = [
  'missing',
  'extra',
  'outdated',
  'placeholder',
  'markup',
  'glossary',
  'number',
  'untranslated',
] as const
export type FindingKind = (typeof findingKinds)[number]
/** A difference between a text and its English source. */
export type Finding = { kind: FindingKind; key: string; detail: string }

/** i18next writes plural forms as `count_one`, `count_other`. */
const pluralKey = /^(.+)_(zero|one|two|few|many|other)$/
const baseOf = (key: string): string => pluralKey.exec(key)?.[1] ?? key

/** Hash of an English text, which shows whether it changed after the translation. */
export const sourceHash = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 8)

const matchesOf = (text: string, pattern: RegExp): string[] => (text.match(pattern) ?? []).sort()
const extractPlaceholders = (text: string): string[] =>
  matchesOf(text, /\{\{\s*\w+/g).map((part) => part.replace(/\W/g, ''))
const extractMarkup = (text: string): string[] => matchesOf(text, /<\/?[a-z0-9]+\/?>|`/gi)
const removePlaceholders = (text: string): string =>
  text.replace(/\{\{[^}]*\}\}|<\/?[a-z0-9]+\/?>/gi, ' ')

/**
 * The numbers of a text in ASCII digits without separators: `1,000`, `1.000` and `१०००` are equal.
 */
export function extractNumbers(text: string): string[] {
  const plain = removePlaceholders(text)
    .replace(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - 0x0966))
    .replace(/[๐-๙]/g, (digit) => String(digit.charCodeAt(0) - 0x0e50))
    .replace(/[０-９]/g, (digit) => String(digit.charCodeAt(0) - 0xff10))
  return matchesOf(plain.replace(/(\d)[.,\u00a0\u202f\s](?=\d{3}\b)/g, '$1'), /\d+/g)
}

const areEqual = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index])

/** The plural forms of a language (CLDR), for example `one` and `other`. */
export const pluralForms = (locale: LocaleCode): string[] =>
  new Intl.PluralRules(locales[locale].language).resolvedOptions().pluralCategories

/**
 * The keys that a translation must have, with their source. Plural forms are those of the language.
 */
function expectedKeys(source: FlatTexts, locale: LocaleCode): Map<string, string> {
  const expected = new Map<string, string>()
  for (const [key, text] of Object.entries(source)) {
    const base = baseOf(key)
    if (base === key) expected.set(key, text)
    else
      for (const form of pluralForms(locale))
        expected.set(`${base}_${form}`, source[`${base}_other`] ?? text)
  }
  return expected
}

/**
 * Whether a text has words to translate, besides glossary terms, placeholders, code and addresses.
 * Only then is a text that equals its source untranslated.
 */
function hasTranslatableWords(text: string, glossary: Glossary): boolean {
  const rest = glossary.terms.reduce(
    (remaining, { term }) => remaining.replaceAll(term, ' '),
    removePlaceholders(text).replace(/`[^`]*`|https?:\S+|\S+@\S+/g, ' '),
  )
  return /\p{L}{2,}/u.test(rest)
}

/** Compares one text with its English source. */
export function compareText(
  key: string,
  source: string,
  text: string,
  locale: LocaleCode,
  glossary: Glossary,
): Finding[] {
  const findings: Finding[] = []
  const add = (kind: FindingKind, detail: string): void => void findings.push({ kind, key, detail })
  const isPlural = pluralKey.test(key)
  // Not every plural form shows the count: "one profile".
  const placeholdersOf = (value: string): string[] =>
    extractPlaceholders(value).filter((name) => !(isPlural && name === 'count'))
  const [expected, actual] = [placeholdersOf(source), placeholdersOf(text)]
  if (!areEqual(expected, actual))
    add(
      'placeholder',
      `{{${expected.join('}} {{')}}} in the source, {{${actual.join('}} {{')}}} here`,
    )
  if (!areEqual(extractMarkup(source), extractMarkup(text)))
    add(
      'markup',
      `${extractMarkup(source).join(' ') || 'none'} in the source, ${extractMarkup(text).join(' ') || 'none'} here`,
    )
  if (!isPlural && !areEqual(extractNumbers(source), extractNumbers(text)))
    add(
      'number',
      `${extractNumbers(source).join(' ') || 'none'} in the source, ${extractNumbers(text).join(' ') || 'none'} here`,
    )
  for (const { term, also } of glossary.terms) {
    const accepted = [term, ...(also[locale] ?? [])]
    if (
      containsTerm(source, term) &&
      !accepted.some((form) => text.toLowerCase().includes(form.toLowerCase()))
    )
      add('glossary', `"${term}" of the source is missing`)
  }
  if (
    text === source &&
    hasTranslatableWords(source, glossary) &&
    ![...(glossary.same[locale] ?? []), ...(glossary.same.all ?? [])].includes(key)
  )
    add('untranslated', text)
  return findings
}

const containsTerm = (text: string, term: string): boolean =>
  new RegExp(
    `(?<![\\p{L}\\p{N}])${term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}\\p{N}])`,
    'u',
  ).test(text)

/**
 * Compares the texts of a language with the English texts. `hashes` are the hashes of the source at
 * the time of each translation.
 */
export function compareTexts(
  source: FlatTexts,
  target: FlatTexts,
  locale: LocaleCode,
  glossary: Glossary,
  hashes: FlatTexts,
): Finding[] {
  const expected = expectedKeys(source, locale)
  const findings: Finding[] = []
  for (const [key, text] of expected) {
    const translated = target[key]
    if (translated === undefined || translated.trim() === '') {
      findings.push({ kind: 'missing', key, detail: text })
      continue
    }
    findings.push(...compareText(key, text, translated, locale, glossary))
    const translatedHash = hashes[key]
    if (translatedHash !== sourceHash(text))
      findings.push({
        kind: 'outdated',
        key,
        detail: translatedHash === undefined ? 'not recorded as translated' : text,
      })
  }
  for (const key of Object.keys(target))
    if (!expected.has(key)) findings.push({ kind: 'extra', key, detail: target[key] ?? '' })
  return findings
}
