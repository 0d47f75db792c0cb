import { englishTextHash } from '../../content/translations/compare'
import { readHashes, type TranslationFolders } from '../../content/translations/translation-files'
import type { Database } from '../../db/database'
import { readTranslationSources, type TranslationSource } from '../../db/translation-sources'
import {
  articleChanges,
  articleUnits,
  parseArticle,
  readPair,
  resultOrRefusal,
  sourceOf,
  versionOf,
  type Refusal,
} from './article-units'
import { textUnits } from './text-units'
import { englishPath, type TranslationFile } from './translation-file'
import type { XliffUnit } from './xliff-document'

/** A text with the English text that its translation was made from; null where it is not known. */
type ChangedUnit = XliffUnit & { before: string | null }

/** The English texts that accepted translations were made from, to be stored. */
export function acceptedSources(
  folders: TranslationFolders,
  file: TranslationFile,
  accepted: readonly XliffUnit[],
  followsSource: boolean,
): TranslationSource[] {
  const path = englishPath(file)
  if (file.kind === 'texts')
    return accepted.map(({ name, source }) => ({
      path,
      unit: name,
      version: englishTextHash(source),
      text: source,
    }))
  const pair = followsSource ? readPair(folders, file) : null
  return pair && !('reason' in pair) ? [{ path, unit: '', ...sourceOf(pair) }] : []
}

/** Interface texts: the hash that is recorded of each names the version. */
async function changedTexts(
  folders: TranslationFolders,
  database: Database,
  file: TranslationFile & { kind: 'texts' },
): Promise<ChangedUnit[] | Refusal> {
  const read = resultOrRefusal(() => ({
    hashes: readHashes(folders, file.locale, file.namespace),
    units: textUnits(folders, file.locale, file.namespace),
  }))
  if ('reason' in read) return read
  const { hashes, units } = read
  const versions = [...new Set(Object.values(hashes))]
  const stored = await readTranslationSources(database, englishPath(file), versions)
  const texts = new Map(stored.map(({ unit, version, text }) => [`${unit} ${version}`, text]))
  return units.map((unit) => ({
    ...unit,
    before: texts.get(`${unit.name} ${hashes[unit.name]}`) ?? null,
  }))
}

/** Articles: the day of the translation's last change names the version. */
async function changedArticle(
  folders: TranslationFolders,
  database: Database,
  file: TranslationFile & { kind: 'article' },
): Promise<ChangedUnit[] | Refusal> {
  const pair = readPair(folders, file)
  if ('reason' in pair) return pair
  const version = versionOf(pair)
  const [stored] =
    version === null ? [] : await readTranslationSources(database, englishPath(file), [version])
  const before = stored ? parseArticle(stored.text) : null
  return before && !('reason' in before)
    ? articleChanges(pair, before)
    : articleUnits(pair).map((unit) => ({ ...unit, before: null }))
}

/** The units of a file with what changed in their sources. */
export const changedUnitsOf = (
  folders: TranslationFolders,
  database: Database,
  file: TranslationFile,
): Promise<ChangedUnit[] | Refusal> =>
  file.kind === 'texts'
    ? changedTexts(folders, database, file)
    : changedArticle(folders, database, file)
