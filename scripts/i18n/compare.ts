import { createHash } from 'node:crypto'
import { locales, type LocaleCode } from '../../shared/i18n/locales'
import type { Flat } from './flatten'
import type { Glossary } from './glossary'

export const kinds = [
  'missing',
  'extra',
  'outdated',
  'placeholder',
  'markup',
  'glossary',
  'number',
  'untranslated',
] as const
export type Kind = (typeof kinds)[number]
export type Finding = { kind: Kind; key: string; detail: string }

/** Plural forms of i18next keys: `count_one`, `count_other`. */
const pluralKey = /^(.+)_(zero|one|two|few|many|other)$/
const baseOf = (key: string): string => pluralKey.exec(key)?.[1] ?? key

export const sourceHash = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 8)

const all = (text: string, pattern: RegExp): string[] => (text.match(pattern) ?? []).sort()
const placeholders = (text: string): string[] =>
  all(text, /\{\{\s*\w+/g).map((part) => part.replace(/\W/g, ''))
const markup = (text: string): string[] => all(text, /<\/?[a-z0-9]+\/?>|`/gi)
const withoutPlaceholders = (text: string): string =>
  text.replace(/\{\{[^}]*\}\}|<\/?[a-z0-9]+\/?>/gi, ' ')

/** Numbers of a text as plain digits: separators and native digits don't matter, `1,000` is `1.000` is `१०००`. */
export function numbers(text: string): string[] {
  const plain = withoutPlaceholders(text)
    .replace(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - 0x0966))
    .replace(/[๐-๙]/g, (digit) => String(digit.charCodeAt(0) - 0x0e50))
    .replace(/[０-９]/g, (digit) => String(digit.charCodeAt(0) - 0xff10))
  return all(plain.replace(/(\d)[.,\u00a0\u202f\s](?=\d{3}\b)/g, '$1'), /\d+/g)
}

const same = (one: readonly string[], two: readonly string[]): boolean =>
  one.length === two.length && one.every((value, index) => value === two[index])

/** Forms that a language needs of a plural (CLDR, by `Intl.PluralRules`). */
export const pluralForms = (locale: LocaleCode): string[] =>
  new Intl.PluralRules(locales[locale].language).resolvedOptions().pluralCategories

/** Keys that a translation must have: plural keys in the forms of its own language. */
function expectedKeys(source: Flat, locale: LocaleCode): Map<string, string> {
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

/** Whether two texts being equal is a fault: there are words in it that are neither of the glossary nor filled in. */
function hasOwnWords(text: string, glossary: Glossary): boolean {
  const rest = glossary.terms.reduce(
    (left, { term }) => left.replaceAll(term, ' '),
    withoutPlaceholders(text).replace(/`[^`]*`|https?:\S+|\S+@\S+/g, ' '),
  )
  return /\p{L}{2,}/u.test(rest)
}

/** One text against its source. */
export function compareText(
  key: string,
  source: string,
  text: string,
  locale: LocaleCode,
  glossary: Glossary,
): Finding[] {
  const findings: Finding[] = []
  const add = (kind: Kind, detail: string): void => void findings.push({ kind, key, detail })
  const isPlural = pluralKey.test(key)
  const wanted = placeholders(source).filter((name) => !(isPlural && name === 'count'))
  const found = placeholders(text).filter((name) => !(isPlural && name === 'count'))
  if (!same(wanted, found))
    add('placeholder', `{{${wanted.join('}} {{')}}} in the source, {{${found.join('}} {{')}}} here`)
  if (!same(markup(source), markup(text)))
    add(
      'markup',
      `${markup(source).join(' ') || 'none'} in the source, ${markup(text).join(' ') || 'none'} here`,
    )
  if (!isPlural && !same(numbers(source), numbers(text)))
    add(
      'number',
      `${numbers(source).join(' ') || 'none'} in the source, ${numbers(text).join(' ') || 'none'} here`,
    )
  for (const { term, also } of glossary.terms) {
    const accepted = [term, ...(also[locale] ?? [])]
    if (
      containsTerm(source, term) &&
      !accepted.some((form) => text.toLowerCase().includes(form.toLowerCase()))
    )
      add('glossary', `"${term}" of the source is not here`)
  }
  if (
    text === source &&
    hasOwnWords(source, glossary) &&
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

/** A language's texts against the source. `hashes` are those of the source when each text was translated. */
export function compareTexts(
  source: Flat,
  target: Flat,
  locale: LocaleCode,
  glossary: Glossary,
  hashes: Flat,
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
    const known = hashes[key]
    if (known !== sourceHash(text))
      findings.push({
        kind: 'outdated',
        key,
        detail: known === undefined ? 'never recorded as translated' : text,
      })
  }
  for (const key of Object.keys(target))
    if (!expected.has(key)) findings.push({ kind: 'extra', key, detail: target[key] ?? '' })
  return findings
}
