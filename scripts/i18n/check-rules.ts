import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { collections } from '../../shared/front-matter'
import type { LocaleCode } from '../../shared/i18n/locales'
import { namespaces } from '../../shared/i18n/namespaces'
import { flatten, type FlatTexts } from '../../server/content/translations/flatten'
import { dateOf } from '../../server/content/translations/translation-files'
import type { LanguageRule } from './language-rule'
import { languageRules } from './language-rules'
import { placeholderRules, readPlaceholderValues } from './placeholder-rules'
import { articleLines, interfaceLines, type ProseLine } from './prose-lines'
import { avoidedForms, contradictions, missingConcepts } from './concepts'
import {
  glossaryFile,
  readGlossary,
  type Concept,
} from '../../server/content/translations/glossary'
import { hasOwnTopic } from './project'
import { readArticleIfExists } from './read-article'
import { differingNames } from './same-names'
import { sourceRules } from './source-rules'

/** A place where a text breaks a rule. */
export type RuleFinding = {
  file: string
  line: number
  rule: string
  detail: string
}

/** Longer labels do not fit into the menu of the header. */
const maxMenuLabel = 26

const menuLength: LanguageRule = {
  name: `menu label over ${maxMenuLabel} letters`,
  find: (text) => (Array.from(text).length > maxMenuLabel ? [text] : []),
}

/** The concepts of the glossary. Reading them takes longer than checking a language by them. */
export const readConcepts = (root: string): readonly Concept[] =>
  readGlossary(glossaryFile(root)).concepts ?? []

const rulesOf = (
  root: string,
  locale: LocaleCode,
  concepts: readonly Concept[],
): LanguageRule[] => [
  ...languageRules(locale),
  ...placeholderRules(locale, readPlaceholderValues(root, locale)),
  ...avoidedForms(concepts, locale),
]

const checkLines = (lines: readonly ProseLine[], rules: readonly LanguageRule[]): RuleFinding[] =>
  lines.flatMap(({ file, line, text }) =>
    rules.flatMap(({ name, find }) =>
      find(text).map((detail) => ({ file, line, rule: name, detail })),
    ),
  )

/** All texts of the interface, `namespace:key` to text. */
const interfaceTexts = (root: string, locale: LocaleCode): FlatTexts =>
  Object.fromEntries(
    namespaces.flatMap((namespace) => {
      const file = join(root, 'locales', locale, `${namespace}.json`)
      const texts: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
      return Object.entries(flatten(texts)).map(([key, text]) => [`${namespace}:${key}`, text])
    }),
  )

/** Checks the interface texts of a language against its rules. */
export function checkInterfaceRules(
  root: string,
  locale: LocaleCode,
  concepts: readonly Concept[],
): RuleFinding[] {
  const lines = interfaceLines(root, locale)
  const texts = interfaceTexts(root, locale)
  const names = differingNames(interfaceTexts(root, 'en'), texts, locale)
  return [
    ...contradictions(concepts, texts, locale).map((detail) => ({
      file: join('content', 'glossary.yaml'),
      line: 1,
      rule: 'glossary',
      detail,
    })),
    ...names.map(({ key, detail }) => {
      const [namespace = '', path = ''] = key.split(':')
      const file = join('locales', locale, `${namespace}.json`)
      const line = lines.find((text) => text.file === file && path.endsWith(text.key))?.line ?? 1
      return { file, line, rule: 'one thing, two names', detail: `${key}: ${detail}` }
    }),
    ...checkLines(lines, rulesOf(root, locale, concepts)),
    ...checkLines(
      lines.filter(({ key }) => key.startsWith('NAVBAR_')),
      [menuLength],
    ),
  ]
}

const withoutCode = (text: string): string =>
  text.replace(/^(```+|~~~+)[^\n]*\n[\s\S]*?^\1[ \t]*$/gm, '').replace(/`[^`\n]*`/g, '')

/** The articles of a language that are not older than their English source, if there is one. */
function currentArticles(root: string, locale: LocaleCode) {
  return collections.flatMap((collection) => {
    const folder = join('content', collection)
    if (!existsSync(join(root, folder))) return []
    return readdirSync(join(root, folder))
      .sort()
      .flatMap((id) => {
        const file = join(folder, id, `${locale}.md`)
        const source = readArticleIfExists(join(root, folder, id, 'en.md'))
        const target = readArticleIfExists(join(root, file))
        const isCurrent =
          target !== null && dateOf(target.frontMatter) >= dateOf(source?.frontMatter ?? {})
        return isCurrent ? [{ collection, id, file, source, target }] : []
      })
  })
}

/**
 * Checks the articles of a language against its rules and their source. An outdated article is
 * reported as a whole (`project.ts`), because its text will be written again.
 */
export function checkArticleRules(
  root: string,
  locale: LocaleCode,
  concepts: readonly Concept[],
): RuleFinding[] {
  const rules = rulesOf(root, locale, concepts)
  return currentArticles(root, locale).flatMap(({ collection, id, file, source, target }) => {
    const ofSource =
      source === null || locale === 'en'
        ? []
        : sourceRules.flatMap(({ name, find }) =>
            find(source.body, target.body, locale).map((detail) => ({
              file,
              line: 1,
              rule: name,
              detail,
            })),
          )
    const lacking =
      source === null || locale === 'en' || hasOwnTopic(collection, id, locale)
        ? []
        : missingConcepts(
            concepts,
            withoutCode(source.source),
            withoutCode(target.source),
            locale,
          ).map((detail) => ({
            file,
            line: 1,
            rule: 'term of the glossary is missing',
            detail,
          }))
    return [...checkLines(articleLines(file, target), rules), ...ofSource, ...lacking]
  })
}

/** Rules besides the tables: length of menu labels, equal names, two of the glossary. */
const rulesOfAll = 4

/** Number of rules of all languages; one that several languages have counts for each. */
export function countRules(root: string, locales: readonly LocaleCode[]): number {
  const concepts = readConcepts(root)
  return locales.reduce(
    (sum, locale) => sum + rulesOf(root, locale, concepts).length + rulesOfAll + sourceRules.length,
    0,
  )
}
