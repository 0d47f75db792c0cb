import type { LocaleCode } from '../../shared/i18n/locales'
import type { Database } from './database'

const maxQueryLength = 200

/**
 * Counts a search without results, by day, language and words. The counts show authors which
 * content is missing; they contain nothing about the visitor.
 */
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
    .slice(0, maxQueryLength)
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
