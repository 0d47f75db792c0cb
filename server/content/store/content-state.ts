import { createHash } from 'node:crypto'
import type { Connection } from '../database'

/**
 * What the compiled content is, as one short text: equal on machines that show the same, in whatever order they came to it, and another one after any
 * change. Articles by what was compiled and whether they are public, texts and documents by themselves. One walk over an index.
 */
export function createContentState(db: Connection): { refresh: () => void } {
  const articles = db.prepare<[], { path: string; live: number; digest: string }>(
    'SELECT path, live, digest FROM articles ORDER BY path',
  )
  const texts = db.prepare<[], { locale: string; namespace: string; json: string }>(
    'SELECT locale, namespace, json FROM texts ORDER BY locale, namespace',
  )
  const documents = db.prepare<[], { name: string; json: string }>(
    'SELECT name, json FROM documents ORDER BY name',
  )
  const set = db.prepare<[string]>("INSERT OR REPLACE INTO meta VALUES ('state', ?)")
  return {
    refresh() {
      const hash = createHash('sha256')
      for (const { path, live, digest } of articles.iterate())
        hash.update(`${path}\t${live}\t${digest}\n`)
      for (const { locale, namespace, json } of texts.iterate())
        hash.update(`${locale}\t${namespace}\t${json}\n`)
      for (const { name, json } of documents.iterate()) hash.update(`${name}\t${json}\n`)
      set.run(hash.digest('base64url'))
    },
  }
}
