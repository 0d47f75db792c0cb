import type { LocaleCode } from '../../../shared/i18n/locales'
import type { Namespace } from '../../../shared/i18n/namespaces'
import {
  baseOf,
  expectedKeys,
  pluralKey,
  englishTextHash,
} from '../../content/translations/compare'
import { flatten, type FlatTexts } from '../../content/translations/flatten'
import {
  hashFile,
  readHashes,
  readJson,
  textsFile,
  type TranslationFolders,
} from '../../content/translations/translation-files'
import type { XliffUnit } from './xliff-document'

/** The interface texts of a namespace, with those plural forms that the language has. */
export function textUnits(
  folders: TranslationFolders,
  locale: LocaleCode,
  namespace: Namespace,
): XliffUnit[] {
  const source = flatten(readJson(textsFile(folders, 'en', namespace)))
  const target = flatten(readJson(textsFile(folders, locale, namespace)))
  const hashes = readHashes(folders, locale, namespace)
  return [...expectedKeys(source, locale)].map(([name, text]) => {
    const translation = target[name]
    const form = pluralKey.exec(name)?.[2]
    return {
      name,
      source: text,
      target: translation === undefined || translation.trim() === '' ? null : translation,
      isDone: translation !== undefined && hashes[name] === englishTextHash(text),
      ...(form === undefined ? {} : { note: `Plural form "${form}".` }),
    }
  })
}

type Tree = { [key: string]: unknown }
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null

/** Sets a text at its path. Missing parents get the form that they have in English. */
function setText(tree: Tree, source: unknown, path: readonly string[], text: string): void {
  const [key = '', ...rest] = path
  if (rest.length === 0) {
    tree[key] = text
    return
  }
  const sourceOf = isTree(source) ? source[key] : undefined
  const existing = Object.hasOwn(tree, key) ? tree[key] : undefined
  const child = isTree(existing) ? existing : Array.isArray(sourceOf) ? [] : {}
  tree[key] = child
  // The cast: an array's items have their index as key.
  setText(child as Tree, sourceOf, rest, text)
}

/** Items that a list lacks between others. */
const hasHoles = (value: unknown): boolean =>
  Array.isArray(value)
    ? Array.from(value).some((item) => item === undefined || hasHoles(item))
    : isTree(value) && Object.values(value).some(hasHoles)

/** Plural forms that the language has and the texts lack, of texts that were changed. */
function missingForms(texts: FlatTexts, units: readonly XliffUnit[], changed: readonly string[]) {
  const bases = new Set(changed.filter((name) => pluralKey.test(name)).map(baseOf))
  return units
    .map(({ name }) => name)
    .filter((name) => pluralKey.test(name) && bases.has(baseOf(name)) && !texts[name]?.trim())
}

/** The file of a namespace with changed texts, and what is wrong with it. */
export function composeTexts(
  folders: TranslationFolders,
  locale: LocaleCode,
  namespace: Namespace,
  units: readonly XliffUnit[],
  changed: ReadonlyMap<string, string>,
): { text: string; problems: Array<{ unit: string; reason: string }> } {
  const source = readJson(textsFile(folders, 'en', namespace))
  const tree = readJson(textsFile(folders, locale, namespace))
  for (const [name, text] of changed) setText(tree, source, name.split('.'), text)
  const forms = missingForms(flatten(tree), units, [...changed.keys()])
  const problems = forms.map((unit) => ({ unit, reason: 'this plural form is missing' }))
  if (hasHoles(tree)) problems.push({ unit: '', reason: 'a list has items without a text' })
  return { text: `${JSON.stringify(tree, null, 2)}\n`, problems }
}

/** The record that texts are translations of the English texts as they are now. */
export function composeHashes(
  folders: TranslationFolders,
  locale: LocaleCode,
  accepted: ReadonlyArray<{ namespace: string; name: string; source: string }>,
): string | null {
  if (accepted.length === 0) return null
  // The cast: only the site writes this file.
  const hashes = readJson(hashFile(folders, locale)) as Record<string, string>
  const before = JSON.stringify(hashes)
  for (const { namespace, name, source } of accepted)
    hashes[`${namespace}:${name}`] = englishTextHash(source)
  return JSON.stringify(hashes) === before ? null : `${JSON.stringify(hashes, null, 1)}\n`
}
