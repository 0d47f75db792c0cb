import { createHash } from 'node:crypto'
import { locales, type LocaleCode } from '../../../shared/i18n/locales'
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
export const pluralKey = /^(.+)_(zero|one|two|few|many|other)$/
export const baseOf = (key: string): string => pluralKey.exec(key)?.[1] ?? key

/** Hash of an English text, which shows whether it changed after the translation. */
export const englishTextHash = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 8)

const matchesOf = (text: string, pattern: RegExp): string[] => (text.match(pattern) ?? []).sort()
const extractPlaceholders = (text: string): string[] =>
  matchesOf(text, /\{\{\s*\w+/g).map((part) => part.replace(/\W/g, ''))
const extractMarkup = (text: string): string[] => matchesOf(text, /<\/?[a-z0-9]+\/?>|`/gi)
const removePlaceholders = (text: string): string =>
  text.replace(/\{\{[^{}]{0,200}\}\}|<\/?[a-z0-9]{1,20}\/?>/gi, ' ')

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

const numberWords: Readonly<Record<string, string>> = {
  a: '1',
  an: '1',
  one: '1',
  once: '1',
  single: '1',
  two: '2',
  twice: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
  ten: '10',
  twelve: '12',
  fourteen: '14',
  twenty: '20',
  thirty: '30',
}

/**
 * The numbers that a translation has and its source does not, or the reverse. A number that the
 * source spells may be a digit, because it is natural before a unit: 2営業日, 1分.
 */
function differingNumbers(source: string, text: string): string[] {
  const spelled = (source.toLowerCase().match(/[a-z]+/g) ?? []).flatMap(
    (word) => numberWords[word] ?? [],
  )
  const left = extractNumbers(source)
  const surplus = extractNumbers(text).filter((number) => {
    const index = left.indexOf(number)
    if (index >= 0) left.splice(index, 1)
    return index < 0
  })
  const extra = surplus.filter((number) => {
    const index = spelled.indexOf(number)
    if (index >= 0) spelled.splice(index, 1)
    return index < 0
  })
  return [...left, ...extra]
}

const areEqual = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index])

/** The plural forms of a language (CLDR), for example `one` and `other`. */
export const pluralForms = (locale: LocaleCode): string[] =>
  new Intl.PluralRules(locales[locale].language).resolvedOptions().pluralCategories

/**
 * The keys that a translation must have, with their source. Plural forms are those of the language.
 */
export function expectedKeys(source: FlatTexts, locale: LocaleCode): Map<string, string> {
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
    removePlaceholders(text).replace(/`[^`]{0,500}`|https?:\S{1,500}|[^\s@]{1,64}@\S{1,200}/g, ' '),
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
  if (!isPlural && differingNumbers(source, text).length > 0)
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

const isPartOfWord = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character)

/** Whether a text has a term as words: `API` is no part of `CAPITAL`. */
function containsTerm(text: string, term: string): boolean {
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1))
    if (!isPartOfWord(text[at - 1]) && !isPartOfWord(text[at + term.length])) return true
  return false
}

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
    if (translatedHash !== englishTextHash(text))
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
