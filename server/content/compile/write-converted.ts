import type { Collection } from '../../../shared/front-matter'
import type { LocaleCode } from '../../../shared/i18n/locales'
import type { Cover, Heading } from '../../../shared/page-data'
import type { FrontMatter } from '../../../shared/front-matter'
import type { Connection } from '../database'
import { sourceHash, type CompiledArticle } from './compile-article'
import type { ArticleKey } from './content-path'
import { convertFields, convertHtml, convertMarkdown, convertText } from './convert-to-traditional'
import { prepareArticle } from './prepare-article'
import type { ArticleWriter } from './write-articles'

/** Texts of this language are converted for the other where it has none. */
const from: LocaleCode = 'zh'
const to: LocaleCode = 'tc'

type Text = { key: number; locale: LocaleCode; source: string; path: string } & {
  hash: string
  live: number
}
type StoredArticle = Omit<
  CompiledArticle,
  'tags' | 'draft' | 'front' | 'headings' | 'cover' | 'problems'
> & { live: number; front: string; headings: string; cover: string | null }

const prepareStatements = (db: Connection) => ({
  texts: db.prepare<[string, string], Text>(
    `SELECT key, locale, source, path, hash, live FROM articles
     WHERE collection = ? AND id = ? AND locale IN ('${from}', '${to}')`,
  ),
  article: db.prepare<[number], StoredArticle>(
    `SELECT a.*, m.source AS markdown FROM articles a JOIN markdown m ON m.article = a.key
     WHERE a.key = ?`,
  ),
  tags: db.prepare<[number], { tag: string }>(
    'SELECT tag FROM tags WHERE article = ? ORDER BY tag',
  ),
})

/** The article that a row was written from, in the other script. */
function convertArticle(stored: StoredArticle, tags: readonly string[]): CompiledArticle {
  const { title, description, html, text, markdown, live, publish } = stored
  // The casts: the compiler has validated what it stored as JSON, and conversion changes strings
  // only.
  const headings = JSON.parse(stored.headings) as Heading[]
  const cover = stored.cover === null ? null : (JSON.parse(stored.cover) as Cover)
  return {
    collection: stored.collection,
    id: stored.id,
    locale: to,
    source: from,
    title: convertText(title),
    description: convertText(description),
    date: stored.date,
    updated: stored.updated,
    category: stored.category,
    position: stored.position,
    tags,
    draft: live === 0 && publish === null,
    publish,
    minutes: stored.minutes,
    front: convertFields(JSON.parse(stored.front)) as FrontMatter[Collection],
    html: convertHtml(html),
    headings: headings.map((heading) => ({ ...heading, text: convertText(heading.text) })),
    text: convertText(text),
    markdown: convertMarkdown(markdown),
    cover: cover && { ...cover, alt: convertText(cover.alt) },
    problems: [],
  }
}

/**
 * Keeps a converted text of every Simplified Chinese article of which there is no public
 * Traditional text (spec 5.4). It is a separate row, with the language it was converted from in
 * `source`, so lists, search and pages find it where they look for texts of the language.
 */
export function createConvertedWriter(db: Connection, writer: ArticleWriter) {
  const statements = prepareStatements(db)

  function convertEntry(collection: Collection, id: string): string[] {
    const texts = statements.texts.all(collection, id)
    const original = texts.find(({ locale }) => locale === from)
    const own = texts.find(({ locale, source }) => locale === to && source === '')
    const converted = texts.find(({ locale, source }) => locale === to && source !== '')
    const isWanted = original !== undefined && own?.live !== 1
    if (!isWanted) return converted ? writer.remove(converted.path) : []
    const hash = sourceHash(original.hash, String(original.live))
    if (converted?.hash === hash) return []
    const stored = statements.article.get(original.key)
    if (!stored) return []
    const tags = statements.tags.all(original.key).map(({ tag }) => tag)
    const article = prepareArticle(convertArticle(stored, tags))
    return writer.save(`${original.path}>${to}`, hash, article)
  }

  /** Converts the entries whose Chinese texts have changed. Returns the surrogate tags to purge. */
  return (changed: readonly ArticleKey[]): string[] =>
    changed
      .filter(({ locale }) => locale === from || locale === to)
      .flatMap(({ collection, id }) => convertEntry(collection, id))
}
