import type { Database } from './database'
import type { Tables } from './tables'

/** The English text that a translation was made from. `unit` is empty for a whole article. */
export type TranslationSource = Omit<Tables['translation_sources'], 'at'>

/** Rows of one statement. */
const batchRows = 500

/** Stores texts that are not stored yet. */
export async function storeTranslationSources(
  database: Database,
  sources: readonly TranslationSource[],
): Promise<void> {
  const at = Date.now()
  for (let index = 0; index < sources.length; index += batchRows) {
    const values = sources.slice(index, index + batchRows).map((source) => ({ ...source, at }))
    await database.run((db) =>
      db
        .insertInto('translation_sources')
        .values(values)
        .onConflict((conflict) => conflict.columns(['path', 'unit', 'version']).doNothing())
        .execute(),
    )
  }
}

/** The stored texts of a file, in the given versions. */
export async function readTranslationSources(
  database: Database,
  path: string,
  versions: readonly string[],
): Promise<TranslationSource[]> {
  if (versions.length === 0) return []
  return database.run((db) =>
    db
      .selectFrom('translation_sources')
      .select(['path', 'unit', 'version', 'text'])
      .where('path', '=', path)
      .where('version', 'in', versions)
      .execute(),
  )
}
