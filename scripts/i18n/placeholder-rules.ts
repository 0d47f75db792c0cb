import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { languageName } from '../../shared/i18n/language-name'
import { localeCodes, type LocaleCode } from '../../shared/i18n/locales'
import type { LanguageRule } from './language-rule'

/** What the placeholders of texts stand for: all values that a check can know. */
type PlaceholderValues = Readonly<Record<string, readonly string[]>>

/** Reads the values from the content. `source` is the language of a text that is shown instead. */
export function readPlaceholderValues(root: string, locale: LocaleCode): PlaceholderValues {
  const site = parse(readFileSync(join(root, 'content', 'site.yaml'), 'utf8')) as { brand: string }
  const products = readdirSync(join(root, 'content', 'alternatives')).map((id) => {
    const file = join(root, 'content', 'alternatives', id, id === 'ziniao' ? 'zh.md' : 'en.md')
    return /^product: "?(.*?)"?$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? id
  })
  return {
    brand: [site.brand],
    product: products,
    plan: ['Free', 'Solo', 'Team', 'Business'],
    source: localeCodes.filter((code) => code === 'en').map((code) => languageName(code, locale)),
  }
}

/**
 * A word whose form depends on the beginning of the next one, and what it must not stand before.
 */
type Form = { word: RegExp; wrongBefore: RegExp; better: string }

const forms: Readonly<Partial<Record<LocaleCode, readonly Form[]>>> = {
  ru: [
    { word: /(?:^|\s)о $/iu, wrongBefore: /^[aeiouаиоуэ]/i, better: 'об' },
    { word: /(?:^|\s)об $/iu, wrongBefore: /^[^aeiouаиоуэ]/i, better: 'о' },
  ],
  es: [
    { word: /(?:^|\s)y $/iu, wrongBefore: /^h?i(?![aeo])/i, better: 'e' },
    { word: /(?:^|\s)o $/iu, wrongBefore: /^h?o/i, better: 'u' },
  ],
  fr: [
    {
      word: /(?:^|\s)(?:de|que|le|la|jusque) $/iu,
      wrongBefore: /^[aeiouéèêh]/i,
      better: 'd’, qu’, l’',
    },
    { word: /(?:^|\s)(?:d|qu|l)[’']$/iu, wrongBefore: /^[^aeiouéèêh]/i, better: 'de, que, le' },
  ],
}

const placeholder = /\{\{\s*(\w+)[^}]*\}\}/g

/** Finds words whose form does not fit one of the values of the placeholder that follows. */
export function placeholderRules(locale: LocaleCode, values: PlaceholderValues): LanguageRule[] {
  const rules = forms[locale] ?? []
  if (rules.length === 0) return []
  return [
    {
      name: 'word before a placeholder',
      find: (text) =>
        [...text.matchAll(placeholder)].flatMap(({ 0: whole, 1: name = '', index }) => {
          const before = text.slice(0, index)
          return rules.flatMap(({ word, wrongBefore, better }) => {
            const found = word.exec(before)?.[0]
            const wrong = (values[name] ?? []).find((value) => wrongBefore.test(value))
            return found !== undefined && wrong !== undefined
              ? [`${found.trim()} ${whole} (${wrong}) → ${better}`]
              : []
          })
        }),
    },
  ]
}
