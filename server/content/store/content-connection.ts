import { setTimeout as sleep } from 'node:timers/promises'
import { contentFile } from '../data-files'
import { openForReading, readGeneration, type Connection } from '../database'
import { createDocumentQueries, type DocumentQueries } from './document-queries'
import { createEntryQueries, type EntryQueries } from './entry-queries'
import { createListQueries } from './list-queries'
import { createRelatedFinder } from './related'
import { createTranslationQueries, type TranslationQueries } from './translation-queries'

export type ContentQueries = EntryQueries &
  DocumentQueries &
  TranslationQueries & {
    lists: ReturnType<typeof createListQueries>
    relatedIds: ReturnType<typeof createRelatedFinder>
  }
export type ContentConnection = ReturnType<typeof connectContent>

/** How often a server checks for changes of the content database: one cheap pragma, no query. */
const pollIntervalMs = 50
const openRetryMs = 20

const prepareQueries = (db: Connection): ContentQueries => ({
  ...createEntryQueries(db),
  ...createDocumentQueries(db),
  ...createTranslationQueries(db),
  lists: createListQueries(db),
  relatedIds: createRelatedFinder(db),
})

/**
 * The read-only connection to the content database of a data folder. `onChange` is called with the
 * surrogate tags that changed, once per new generation.
 */
export function connectContent(folder: string, onChange: (tags: readonly string[]) => void) {
  let db: Connection | null = null
  let queries: ContentQueries | null = null
  let generation = 0
  let dataVersion = -1
  let timer: NodeJS.Timeout | undefined

  function open(): Connection | null {
    db ??= openForReading(contentFile(folder))
    if (!db) return null
    queries ??= prepareQueries(db)
    generation ||= readGeneration(db)
    return db
  }

  function useQueries(): ContentQueries {
    if (!queries) throw new Error('the content database is not ready')
    return queries
  }

  function poll(): void {
    const opened = open()
    if (!opened) return
    const version = Number(opened.pragma('data_version', { simple: true }))
    if (version === dataVersion) return
    dataVersion = version
    const previous = generation
    generation = readGeneration(opened)
    if (generation === previous) return
    const changed = useQueries().tagsSince.all(previous)
    onChange(changed.map((row) => row.tag))
  }

  async function ready(timeoutMs: number): Promise<void> {
    const end = Date.now() + timeoutMs
    while (!open()) {
      if (Date.now() > end) throw new Error('content was not compiled in time')
      await sleep(openRetryMs)
    }
    poll()
    timer ??= setInterval(poll, pollIntervalMs)
  }

  function close(): void {
    clearInterval(timer)
    queries = null
    db?.close()
    db = null
  }

  return {
    /** Waits until content has been compiled once. Rejects after `timeoutMs`. */
    ready,
    generation: (): number => generation,
    /** Notices a new generation now instead of at the next poll. */
    poll,
    /** The prepared statements; throws before the connection is ready. */
    queries: useQueries,
    close,
  }
}
