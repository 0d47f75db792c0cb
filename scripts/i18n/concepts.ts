import { locales, type LocaleCode } from '../../shared/i18n/locales'
import type { FlatTexts } from '../../server/content/translations/flatten'
import type { Concept } from '../../server/content/translations/glossary'
import type { LanguageRule } from './language-rule'

/** An article that names a concept so often in English must name it at least once. */
const minMentions = 6

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Whether words are separated by spaces, so that a form can be found as the beginning of one. */
const hasWords = (locale: LocaleCode): boolean => !locales[locale].spaceless && locale !== 'ko'

function formPattern(form: string, locale: LocaleCode): RegExp {
  if (!hasWords(locale)) return new RegExp(escape(form), 'giu')
  const end = locale === 'en' ? 's?(?!\\p{L})' : ''
  return new RegExp(`(?<!\\p{L})${escape(form)}${end}`, 'giu')
}

const mentions = (text: string, forms: readonly string[], locale: LocaleCode): number =>
  forms.reduce((sum, form) => sum + (text.match(formPattern(form, locale))?.length ?? 0), 0)

/** Forms of the glossary that a language must not use. */
export function avoidedForms(concepts: readonly Concept[], locale: LocaleCode): LanguageRule[] {
  const avoided = concepts.flatMap((concept) =>
    (concept.avoid[locale] ?? []).map((form) => ({
      pattern: formPattern(form, locale),
      better: concept[locale][0] ?? '',
    })),
  )
  return [
    {
      name: 'form that the glossary avoids',
      find: (text) =>
        avoided.flatMap(({ pattern, better }) =>
          (text.match(pattern) ?? []).map((found) => `${found} → ${better}`),
        ),
    },
  ]
}

/** Concepts that a source names often and its translation never, and buttons that it lacks. */
export function missingConcepts(
  concepts: readonly Concept[],
  source: string,
  target: string,
  locale: LocaleCode,
): string[] {
  return concepts.flatMap((concept) => {
    const { id, button, key } = concept
    const forms = concept[locale]
    if (button) {
      const isNamed = concept.en.some((form) => source.includes(`**${form}**`))
      return isNamed && mentions(target, forms, locale) === 0
        ? [`the button **${concept.en[0]}** is ${forms.join(' or ')}`]
        : []
    }
    const isNamed = !key && mentions(source, concept.en, 'en') >= minMentions
    return isNamed && mentions(target, forms, locale) === 0
      ? [`${id} is ${forms.join(' or ')}`]
      : []
  })
}

/**
 * Faults of the glossary in a language: a word that is listed for two concepts, and a term that
 * differs from the interface text that it names.
 */
export function contradictions(
  concepts: readonly Concept[],
  texts: FlatTexts,
  locale: LocaleCode,
): string[] {
  const owners = new Map<string, string>()
  return concepts.flatMap((concept) => {
    const { id, key } = concept
    const shared =
      key || concept.button
        ? []
        : concept[locale].flatMap((form) => {
            const owner = owners.get(form)
            owners.set(form, id)
            return owner && owner !== id ? [`“${form}” is both ${owner} and ${id}`] : []
          })
    const shown = key ? texts[key] : undefined
    const differs = shown !== undefined && !concept[locale].includes(shown)
    return [
      ...shared,
      ...(differs ? [`${id} is “${concept[locale][0]}”, but ${key} says “${shown}”`] : []),
    ]
  })
}
