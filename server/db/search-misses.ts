import type { LocaleCode } from '../../shared/i18n/locales'
import type { Database } from './database'

/** Longest query kept (characters). */
const longestQuery = 200

/** Counts a search that found nothing, by day, language and words: what authors should write next. Says nothing of who asked. */
export async function countSearchMiss(
  database: Database,
  locale: LocaleCode,
  query: string,
): Promise<void> {
  const words = query
    .replaceAll('\0', '')
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .slice(0, longestQuery)
  if (!words) return
  const day = new Date().toISOString().slice(0, 10)
  await database.run((db) =>
    db
      .insertInto('search_misses')
      .values({ day, locale, query: words, count: 1 })
      .onConflict((conflict) =>
        conflict
          .columns(['day', 'locale', 'query'])
          .doUpdateSet((expression) => ({ count: expression('search_misses.count', '+', 1) })),
      )
      .execute(),
  )
}

/** The searches that found nothing most often since a day (`YYYY-MM-DD`). */
export function searchMisses(
  database: Database,
  since: string,
  limit: number,
): Promise<Array<{ locale: string; query: string; count: number }>> {
  return database.run((db) =>
    db
      .selectFrom('search_misses')
      .select(({ fn }) => ['locale', 'query', fn.sum<number>('count').as('count')])
      .where('day', '>=', since)
      .groupBy(['locale', 'query'])
      .orderBy('count', 'desc')
      .limit(limit)
      .execute(),
  )
}
