import type { LocaleCode } from '../../../shared/i18n/locales'
import { shadowOf, singleCollections, type EntryId } from '../../url/page-availability'
import type { Connection } from '../database'
import { createEntryQueries } from '../store/entry-queries'
import { createMeta } from './generation-writer'
import type { CompilePass, SourceFiles, Sources } from './source-files'

/**
 * Reports texts that no page shows, because the address of their entry shows another page. An entry
 * can get or lose its address when any entry of these collections, or the route table, changes;
 * then all are checked again.
 */
export function createShadowReporter(
  db: Connection,
  { routes }: Sources,
  files: SourceFiles,
): (pass: CompilePass) => void {
  const meta = createMeta(db)
  const entries = createEntryQueries(db)
  const texts = db.prepare<[string], EntryId & { locale: LocaleCode; path: string }>(
    `SELECT collection, id, locale, path FROM articles
     WHERE collection = ? AND live = 1 AND source = '' ORDER BY path`,
  )
  const store = {
    localesOf: (collection: string, id: string): LocaleCode[] =>
      entries.localesOf.all(collection, id).map(({ locale }) => locale),
  }
  return ({ tags }) => {
    if (meta.get('shadows') === routes && !singleCollections.some((name) => tags.has(name))) return
    meta.set('shadows', routes)
    const shadowed = singleCollections
      .flatMap((collection) => texts.all(collection))
      .flatMap(({ path, locale, ...entry }) => {
        const shadow = shadowOf(entry, locale, store)
        return shadow === null ? [] : [{ file: path, shadow }]
      })
    files.reportShadowed(shadowed)
  }
}
