import { createHash } from 'node:crypto'
import type { Connection } from '../database'

/** Named values of the content database. */
export function createMeta(db: Connection) {
  const get = db.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?')
  const set = db.prepare<[string, string]>('INSERT OR REPLACE INTO meta VALUES (?, ?)')
  return {
    get: (key: string): string | null => get.get(key)?.value ?? null,
    set: (key: string, value: string): void => void set.run(key, value),
  }
}

/** Generations whose changes are kept for servers that are behind. */
const maxGenerations = 1000

/** Writes the number of the content's current generation, its changes and its state. */
export function createGenerationWriter(db: Connection) {
  const meta = createMeta(db)
  const computeState = createStateHash(db)
  const insertChange = db.prepare('INSERT INTO changes VALUES (?, ?)')
  const removeChanges = db.prepare('DELETE FROM changes WHERE generation < ?')
  return {
    /** Starts a generation with the tags that changed in it. Returns its number. */
    start(generation: number, tags: readonly string[]): number {
      meta.set('generation', String(generation))
      // Without tags, nothing that pages show has changed, and the walk over all articles is saved.
      if (tags.length > 0 || generation === 1) meta.set('state', computeState())
      for (const tag of tags) insertChange.run(generation, tag)
      removeChanges.run(generation - maxGenerations)
      return generation
    },
  }
}

/**
 * Computes the state of the content: a hash of every compiled article, whether it is public, of all
 * texts and documents, and of the counts of lists. It is equal on machines that show the same,
 * whatever the order of the changes was, and differs after any change. It takes one walk over an
 * index.
 */
function createStateHash(db: Connection): () => string {
  const articles = db.prepare<[], { path: string; live: number; digest: string }>(
    'SELECT path, live, digest FROM articles ORDER BY path',
  )
  const texts = db.prepare<[], { locale: string; namespace: string; json: string }>(
    'SELECT locale, namespace, json FROM texts ORDER BY locale, namespace',
  )
  const documents = db.prepare<[], { name: string; json: string }>(
    'SELECT name, json FROM documents ORDER BY name',
  )
  const counts = db.prepare<[], object>(
    'SELECT * FROM outline ORDER BY collection, locale, category, tag',
  )
  return () => {
    const hash = createHash('sha256')
    for (const { path, live, digest } of articles.iterate())
      hash.update(`${path}\t${live}\t${digest}\n`)
    for (const { locale, namespace, json } of texts.iterate())
      hash.update(`${locale}\t${namespace}\t${json}\n`)
    for (const { name, json } of documents.iterate()) hash.update(`${name}\t${json}\n`)
    hash.update(JSON.stringify(counts.all()))
    return hash.digest('base64url')
  }
}
