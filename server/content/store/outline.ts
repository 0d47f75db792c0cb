import { createHash } from 'node:crypto'
import { isCollection, type Collection } from '../../../shared/content'
import { allLocales, type LocaleCode } from '../../../shared/i18n/locales'
import type { Connection } from '../database'

type Row = {
  key: number
  id: string
  locale: LocaleCode
  category: string | null
  updated: string | null
  date: string | null
}
type Count = { total: number; first: number }

/** Collections that are listed by tags; nowhere else do tags make pages. */
const tagged: readonly Collection[] = ['blog', 'news']

/**
 * How many entries every list of a collection shows in every language, and how many of them have a text of their own:
 * what sitemaps need to know of 100,000 articles without counting them while a visitor waits. Counted by the content
 * process, one walk over the collection; languages whose fallbacks come to the same rows share one count.
 */
export function createOutline(db: Connection) {
  const rowsOf = db.prepare<[string], Row>(
    'SELECT key, id, locale, category, updated, date FROM articles WHERE collection = ? AND live = 1 ORDER BY id',
  )
  const tagsOf = db.prepare<[string], { article: number; tag: string }>(
    'SELECT t.article, t.tag FROM articles a JOIN tags t ON t.article = a.key WHERE a.collection = ? AND a.live = 1 ORDER BY t.tag',
  )
  const drop = db.prepare('DELETE FROM outline WHERE collection = ?')
  const add = db.prepare('INSERT INTO outline VALUES (?, ?, ?, ?, ?, ?)')
  const meta = {
    get: db.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?'),
    set: db.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)'),
  }

  function tagsByArticle(collection: Collection): ReadonlyMap<number, readonly string[]> {
    const found = new Map<number, string[]>()
    if (!tagged.includes(collection)) return found
    for (const { article, tag } of tagsOf.iterate(collection)) {
      const list = found.get(article)
      if (list) list.push(tag)
      else found.set(article, [tag])
    }
    return found
  }

  /** Languages by the order in which their texts are looked for, cut to languages that the collection has at all. */
  function chainsIn(collection: Collection): Map<string, LocaleCode[]> {
    const present = new Set(
      db
        .prepare<[string], { locale: LocaleCode }>(
          'SELECT DISTINCT locale FROM articles WHERE collection = ? AND live = 1',
        )
        .all(collection)
        .map((row) => row.locale),
    )
    const chains = new Map<string, LocaleCode[]>()
    for (const { code, fallback } of allLocales) {
      const chain = fallback.filter((source) => present.has(source)).join(' ')
      if (chain !== '') chains.set(chain, [...(chains.get(chain) ?? []), code])
    }
    return chains
  }

  function refresh(collection: Collection): void {
    const tags = tagsByArticle(collection)
    const chains = [...chainsIn(collection)].map(([chain, codes]) => ({
      chain: chain.split(' ') as LocaleCode[],
      codes,
      counts: new Map<string, Count>(),
    }))
    const digest = createHash('sha256')
    const bump = (counts: Map<string, Count>, key: string, own: boolean): void => {
      const count = counts.get(key) ?? { total: 0, first: 0 }
      count.total += 1
      if (own) count.first += 1
      counts.set(key, count)
    }
    const finish = (texts: ReadonlyMap<LocaleCode, Row>): void => {
      for (const { chain, counts } of chains) {
        const source = chain.find((code) => texts.has(code))
        const row = source && texts.get(source)
        if (!row) continue
        const own = source === chain[0]
        bump(counts, '\t', own)
        if (row.category === null) continue
        bump(counts, `${row.category}\t`, own)
        for (const tag of tags.get(row.key) ?? []) bump(counts, `${row.category}\t${tag}`, own)
      }
    }
    let texts = new Map<LocaleCode, Row>()
    let id = ''
    for (const row of rowsOf.iterate(collection)) {
      digest.update(
        `${row.id}\t${row.locale}\t${row.category}\t${row.updated ?? row.date}\t${tags.get(row.key)?.join()}\n`,
      )
      if (row.id !== id) {
        finish(texts)
        texts = new Map()
        id = row.id
      }
      texts.set(row.locale, row)
    }
    finish(texts)
    drop.run(collection)
    for (const { chain, codes, counts } of chains)
      for (const code of codes)
        for (const [key, { total, first }] of counts) {
          const [category = '', tag = ''] = key.split('\t')
          add.run(collection, code, category, tag, total, code === chain[0] ? first : 0)
        }
    meta.set.run(`digest:${collection}`, digest.digest('hex'))
  }

  return {
    /** Remembers which collections are to be counted again: kept in the database, so that no crash forgets it. */
    due(tags: Iterable<string>): void {
      const known = (meta.get.get('outline-due')?.value ?? '').split(' ').filter(Boolean)
      meta.set.run(
        'outline-due',
        [...new Set([...known, ...[...tags].filter(isCollection)])].join(' '),
      )
    },
    /** Counts what is due. Tells whether anything was. */
    refresh(): boolean {
      const due = (meta.get.get('outline-due')?.value ?? '').split(' ').filter(isCollection)
      for (const collection of due) refresh(collection)
      if (due.length > 0) meta.set.run('outline-due', '')
      return due.length > 0
    },
  }
}
