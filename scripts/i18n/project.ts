import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { collections } from '../../shared/front-matter'
import { localeCodes, type LocaleCode } from '../../shared/i18n/locales'
import { namespaces } from '../../shared/i18n/namespaces'
import { industrySlug } from '../../shared/routes/availability'
import {
  compareText,
  compareTexts,
  englishTextHash,
  type Finding,
  type FindingKind,
} from '../../server/content/translations/compare'
import { flatten } from '../../server/content/translations/flatten'
import {
  glossaryFile,
  type Glossary,
  glossaryForNamespace,
  readGlossary,
} from '../../server/content/translations/glossary'
import {
  dateOf,
  isFactField,
  hashFile,
  readHashes,
  readJson,
  textsFile,
  type TranslationFolders,
} from '../../server/content/translations/translation-files'
import { readArticleIfExists, type Article } from './read-article'

/** The findings in one language of a namespace or a collection (`part`). */
export type PartReport = { locale: LocaleCode; part: string; total: number; findings: Finding[] }
export const targetLocales = localeCodes.filter((code) => code !== 'en')

const foldersOf = (root: string): TranslationFolders => ({
  content: join(root, 'content'),
  locales: join(root, 'locales'),
})

/** Checks the interface texts of all languages against English. */
export function checkTexts(root: string): PartReport[] {
  const glossary = readGlossary(glossaryFile(root))
  return targetLocales.flatMap((locale) =>
    namespaces.map((namespace): PartReport => {
      const source = flatten(readJson(textsFile(foldersOf(root), 'en', namespace)))
      const target = flatten(readJson(textsFile(foldersOf(root), locale, namespace)))
      return {
        locale,
        part: namespace,
        total: Object.keys(source).length,
        findings: compareTexts(
          source,
          target,
          locale,
          glossaryForNamespace(glossary, namespace),
          readHashes(foldersOf(root), locale, namespace),
        ),
      }
    }),
  )
}

/**
 * Records that the texts of a language are translations of the English texts as they are now.
 * Returns the number of texts.
 */
export function acceptTexts(root: string, locale: LocaleCode): number {
  const hashes: Record<string, string> = {}
  for (const namespace of namespaces) {
    const source = flatten(readJson(textsFile(foldersOf(root), 'en', namespace)))
    for (const key of Object.keys(
      flatten(readJson(textsFile(foldersOf(root), locale, namespace))),
    )) {
      // Every plural form is a translation of `other`, because English lacks most of the forms.
      const text = source[key.replace(/_(?:zero|one|two|few|many)$/, '_other')] ?? source[key]
      if (text !== undefined) hashes[`${namespace}:${key}`] = englishTextHash(text)
    }
  }
  writeFileSync(hashFile(foldersOf(root), locale), `${JSON.stringify(hashes, null, 1)}\n`)
  return Object.keys(hashes).length
}

/** Industries whose Chinese pages are about the topic of their Chinese slugs. */
export const hasOwnTopic = (collection: string, id: string, locale: LocaleCode): boolean =>
  collection === 'industries' && industrySlug(id, locale) !== id

/** Fields of landing pages that often hold only names, codes and addresses. */
const nameFields = /^(?:picture|comparison)\.|^sections\.\d+\.(?:rows|columns|items)\./
const codeFields = /\.(?:address|command|output)$/
/** Words that a language shares with English. */
const sharedWords: Readonly<Partial<Record<LocaleCode, RegExp>>> = {
  fr: /(?<!\p{L})(?:admin|clients|forum|local|mail|minutes|native|pages|search)(?!\p{L})/gu,
}
/** Names of sample profiles: `Acme – shop – DE`. */
const profileName = /^\p{L}+(?: [–·,] \S+|, \p{L}+)+$/u
function isOnlyNames(key: string, text: string, locale: LocaleCode): boolean {
  if (codeFields.test(key) || profileName.test(text) || /\.\w{2,4}$/.test(text)) return true
  const shared = sharedWords[locale]
  const rest = (shared ? text.replace(shared, '') : text).replace(/[.,;:!?](?!\S)/g, '')
  return nameFields.test(key) && !/(?<!\S)\p{Ll}{4,}(?!\S)/u.test(rest)
}

/**
 * Compares a translated article with the English one. A translation that is older than its source
 * is outdated as a whole, so its fields are not compared.
 */
function compareArticle(
  source: Article,
  target: Article,
  locale: LocaleCode,
  glossary: Glossary,
): Finding[] {
  if (dateOf(target.frontMatter) < dateOf(source.frontMatter))
    return [
      {
        kind: 'outdated',
        key: 'updated',
        detail: `the source changed on ${dateOf(source.frontMatter)}`,
      },
    ]
  return Object.entries(source.frontMatter).flatMap(([key, text]): Finding[] => {
    const translation = target.frontMatter[key]
    if (translation === undefined) return []
    if (isFactField(key))
      return translation === text
        ? []
        : [{ kind: 'number', key, detail: `${text} in the source, ${translation} here` }]
    return compareText(key, text, translation, locale, glossary).filter(
      ({ kind }) =>
        kind !== 'number' && !(kind === 'untranslated' && isOnlyNames(key, text, locale)),
    )
  })
}

/**
 * Checks the articles of all languages against English. A missing or outdated translation is
 * only counted, because the site shows a fallback language or the older text.
 */
export function checkContent(root: string): PartReport[] {
  const glossary = glossaryForNamespace(readGlossary(glossaryFile(root)), 'content')
  const parts = collections.map((collection) => {
    const folder = join(root, 'content', collection)
    const ids = existsSync(folder) ? readdirSync(folder) : []
    const sources = ids.map((id) => ({
      id,
      source: readArticleIfExists(join(folder, id, 'en.md')),
    }))
    return { collection, folder, sources }
  })
  return targetLocales.flatMap((locale) =>
    parts.map(({ collection, folder, sources }): PartReport => {
      const findings = sources.flatMap(({ id, source }): Finding[] => {
        const target = readArticleIfExists(join(folder, id, `${locale}.md`))
        if (!source) return []
        if (!target)
          return [{ kind: 'missing', key: id, detail: source.frontMatter['title'] ?? id }]
        return compareArticle(source, target, locale, glossary)
          .filter(({ kind }) => kind !== 'glossary' || !hasOwnTopic(collection, id, locale))
          .map((finding) => ({ ...finding, key: `${id}: ${finding.key}` }))
      })
      return { locale, part: collection, total: sources.length, findings }
    }),
  )
}

export const countFindings = (cell: PartReport, kind: FindingKind): number =>
  cell.findings.filter((finding) => finding.kind === kind).length
