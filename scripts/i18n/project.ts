import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Collection } from '../../shared/front-matter'
import { collections } from '../../shared/front-matter'
import { localeCodes, type LocaleCode } from '../../shared/i18n/locales'
import { namespaces, type Namespace } from '../../shared/i18n/namespaces'
import { compareText, compareTexts, sourceHash, type Finding, type FindingKind } from './compare'
import { flatten, type FlatTexts } from './flatten'
import { glossaryForNamespace, readGlossary } from './glossary'

/** The findings in one language of a namespace or a collection (`part`). */
export type PartReport = { locale: LocaleCode; part: string; total: number; findings: Finding[] }
export const targetLocales = localeCodes.filter((code) => code !== 'en')

const readJson = (file: string): unknown =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
const textsFile = (root: string, locale: LocaleCode, namespace: Namespace): string =>
  join(root, 'locales', locale, `${namespace}.json`)
/** Stores the hash of the English text at the time of each translation: `namespace:key` to hash. */
const hashFile = (root: string, locale: LocaleCode): string =>
  join(root, 'locales', locale, '.sources.json')

const readHashes = (root: string, locale: LocaleCode, namespace: string): FlatTexts =>
  Object.fromEntries(
    Object.entries(readJson(hashFile(root, locale)) as Record<string, string>)
      .filter(([key]) => key.startsWith(`${namespace}:`))
      .map(([key, hash]) => [key.slice(namespace.length + 1), hash]),
  )

/** Checks the interface texts of all languages against English. */
export function checkTexts(root: string): PartReport[] {
  const glossary = readGlossary(join(root, 'locales', 'glossary.yaml'))
  return targetLocales.flatMap((locale) =>
    namespaces.map((namespace): PartReport => {
      const source = flatten(readJson(textsFile(root, 'en', namespace)))
      const target = flatten(readJson(textsFile(root, locale, namespace)))
      return {
        locale,
        part: namespace,
        total: Object.keys(source).length,
        findings: compareTexts(
          source,
          target,
          locale,
          glossaryForNamespace(glossary, namespace),
          readHashes(root, locale, namespace),
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
    const source = flatten(readJson(textsFile(root, 'en', namespace)))
    for (const key of Object.keys(flatten(readJson(textsFile(root, locale, namespace))))) {
      // Every plural form is a translation of `other`, because English lacks most of the forms.
      const text = source[key.replace(/_(?:zero|one|two|few|many)$/, '_other')] ?? source[key]
      if (text !== undefined) hashes[`${namespace}:${key}`] = sourceHash(text)
    }
  }
  writeFileSync(hashFile(root, locale), `${JSON.stringify(hashes, null, 1)}\n`)
  return Object.keys(hashes).length
}

type Article = { frontMatter: FlatTexts; body: string }

function readArticle(file: string): Article | null {
  if (!existsSync(file)) return null
  const [, frontMatter = '', body = ''] =
    /^---\n([\s\S]*?)\n---\n?([\s\S]*)$/.exec(readFileSync(file, 'utf8')) ?? []
  return { frontMatter: flatten(parse(frontMatter)), body }
}

/** Front matter fields that are facts instead of text: they must equal those of the source. */
const factFields =
  /^(?:date|category|section|order|kind|icon|cover$|website|tags\.\d+|related\.\d+|files\.|comparison\.\d+\.theirs\.(?:source|checked))/
const linksOf = (body: string): string[] =>
  (body.match(/\]\((\/[^)#\s]*)/g) ?? []).map((link) => link.slice(2)).sort()

/** Up to this many links of the source may be missing: sections may be shortened. */
const maxMissingLinks = 3

/** Compares a translated article with the English one. */
function compareArticle(
  source: Article,
  target: Article,
  locale: LocaleCode,
  root: string,
): Finding[] {
  const glossary = glossaryForNamespace(
    readGlossary(join(root, 'locales', 'glossary.yaml')),
    'content',
  )
  const fields = Object.entries(source.frontMatter).flatMap(([key, text]): Finding[] => {
    const translation = target.frontMatter[key]
    if (translation === undefined) return []
    if (factFields.test(key))
      return translation === text
        ? []
        : [{ kind: 'number', key, detail: `${text} in the source, ${translation} here` }]
    return compareText(key, text, translation, locale, glossary).filter(
      ({ kind }) => kind !== 'number',
    )
  })
  const missing = linksOf(source.body).filter((link) => !linksOf(target.body).includes(link))
  return [
    ...fields,
    ...(missing.length > maxMissingLinks
      ? [{ kind: 'markup' as const, key: 'links', detail: missing.join(' ') }]
      : []),
  ]
}

/**
 * Checks the articles of all languages against English. A missing translation is only counted,
 * because the site shows a fallback language.
 */
export function checkContent(root: string): PartReport[] {
  return targetLocales.flatMap((locale) =>
    collections.map((collection: Collection): PartReport => {
      const folder = join(root, 'content', collection)
      const ids = existsSync(folder) ? readdirSync(folder) : []
      const findings = ids.flatMap((id): Finding[] => {
        const source = readArticle(join(folder, id, 'en.md'))
        const target = readArticle(join(folder, id, `${locale}.md`))
        if (!source) return []
        if (!target)
          return [{ kind: 'missing', key: id, detail: source.frontMatter['title'] ?? id }]
        return compareArticle(source, target, locale, root).map((finding) => ({
          ...finding,
          key: `${id}: ${finding.key}`,
        }))
      })
      return { locale, part: collection, total: ids.length, findings }
    }),
  )
}

export const countFindings = (cell: PartReport, kind: FindingKind): number =>
  cell.findings.filter((finding) => finding.kind === kind).length
