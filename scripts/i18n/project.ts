import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { collections, type Collection } from '../../shared/content'
import { localeCodes, type LocaleCode } from '../../shared/i18n/locales'
import { namespaces, type Namespace } from '../../shared/i18n/namespaces'
import { compareText, compareTexts, kinds, sourceHash, type Finding, type Kind } from './compare'
import { flatten, type Flat } from './flatten'
import { glossaryOf, readGlossary } from './glossary'

/** What was found in one language's namespace or collection. */
export type Cell = { locale: LocaleCode; part: string; total: number; findings: Finding[] }
export const targets = localeCodes.filter((code) => code !== 'en')

const readJson = (file: string): unknown =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
const textsFile = (root: string, locale: LocaleCode, namespace: Namespace): string =>
  join(root, 'locales', locale, `${namespace}.json`)
/** Hashes of the English texts when each text was translated: `namespace:key` to hash. */
const hashFile = (root: string, locale: LocaleCode): string =>
  join(root, 'locales', locale, '.sources.json')

const hashesOf = (root: string, locale: LocaleCode, namespace: string): Flat =>
  Object.fromEntries(
    Object.entries(readJson(hashFile(root, locale)) as Record<string, string>)
      .filter(([key]) => key.startsWith(`${namespace}:`))
      .map(([key, hash]) => [key.slice(namespace.length + 1), hash]),
  )

export function checkTexts(root: string): Cell[] {
  const glossary = readGlossary(join(root, 'locales', 'glossary.yaml'))
  return targets.flatMap((locale) =>
    namespaces.map((namespace): Cell => {
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
          glossaryOf(glossary, namespace),
          hashesOf(root, locale, namespace),
        ),
      }
    }),
  )
}

/** Records that the present texts of a language are translations of the present source. */
export function acceptTexts(root: string, locale: LocaleCode): number {
  const hashes: Record<string, string> = {}
  for (const namespace of namespaces) {
    const source = flatten(readJson(textsFile(root, 'en', namespace)))
    for (const key of Object.keys(flatten(readJson(textsFile(root, locale, namespace))))) {
      // A plural form belongs to the source's general one, whatever other forms English has.
      const text = source[key.replace(/_(?:zero|one|two|few|many)$/, '_other')] ?? source[key]
      if (text !== undefined) hashes[`${namespace}:${key}`] = sourceHash(text)
    }
  }
  writeFileSync(hashFile(root, locale), `${JSON.stringify(hashes, null, 1)}\n`)
  return Object.keys(hashes).length
}

type Parsed = { front: Flat; body: string }
function readArticle(file: string): Parsed | null {
  if (!existsSync(file)) return null
  const [, front = '', body = ''] =
    /^---\n([\s\S]*?)\n---\n?([\s\S]*)$/.exec(readFileSync(file, 'utf8')) ?? []
  return { front: flatten(parse(front)), body }
}

/** Fields of front matter that are no text and must equal the source's. */
const facts =
  /^(?:date|category|section|order|kind|icon|cover$|website|tags\.\d+|related\.\d+|files\.|comparison\.\d+\.theirs\.(?:source|checked))/
const links = (body: string): string[] =>
  (body.match(/\]\((\/[^)#\s]*)/g) ?? []).map((link) => link.slice(2)).sort()

/** A translated article against its English one. Language-only articles have nothing to be compared with. */
function compareArticle(
  source: Parsed,
  target: Parsed,
  locale: LocaleCode,
  root: string,
): Finding[] {
  const glossary = glossaryOf(readGlossary(join(root, 'locales', 'glossary.yaml')), 'content')
  const fields = Object.entries(source.front).flatMap(([key, text]): Finding[] => {
    const here = target.front[key]
    if (here === undefined) return []
    if (facts.test(key))
      return here === text
        ? []
        : [{ kind: 'number', key, detail: `${text} in the source, ${here} here` }]
    return compareText(key, text, here, locale, glossary).filter(({ kind }) => kind !== 'number')
  })
  const missing = links(source.body).filter((link) => !links(target.body).includes(link))
  return [
    ...fields,
    ...(missing.length > 3
      ? [{ kind: 'markup' as const, key: 'links', detail: missing.join(' ') }]
      : []),
  ]
}

/** Content by collection: what is not translated is served in a fallback, so it is counted and no error. */
export function checkContent(root: string): Cell[] {
  return targets.flatMap((locale) =>
    collections.map((collection: Collection): Cell => {
      const folder = join(root, 'content', collection)
      const ids = existsSync(folder) ? readdirSync(folder) : []
      const findings = ids.flatMap((id): Finding[] => {
        const source = readArticle(join(folder, id, 'en.md'))
        const target = readArticle(join(folder, id, `${locale}.md`))
        if (!source) return []
        if (!target) return [{ kind: 'missing', key: id, detail: source.front['title'] ?? id }]
        return compareArticle(source, target, locale, root).map((finding) => ({
          ...finding,
          key: `${id}: ${finding.key}`,
        }))
      })
      return { locale, part: collection, total: ids.length, findings }
    }),
  )
}

export const countOf = (cell: Cell, kind: Kind): number =>
  cell.findings.filter((finding) => finding.kind === kind).length
export { kinds }
