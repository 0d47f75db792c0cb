import { createHash } from 'node:crypto'
import { relatedCollections } from '../store/related'
import type { CompiledArticle } from './compile-article'
import { relatedTerms } from './related-terms'
import { tokenizeFields, type SearchFields } from './write-search-index'

/** An article as it is stored: plain values, which a thread can send to the process. */
export type PreparedArticle = Omit<CompiledArticle, 'front' | 'headings' | 'cover' | 'problems'> & {
  /** JSON. */
  front: string
  /** JSON. */
  headings: string
  /** JSON. */
  cover: string | null
  /** Hash of the article. */
  digest: string
  series: string | null
  /** Terms by which related articles are found; null where none are. */
  terms: readonly string[] | null
  /** The words of each field, as the full-text index stores them. */
  tokens: SearchFields
}

/**
 * Headings are a column that weighs more than the text, which contains their words too. The words
 * of the id let a search find a page whose address was mistyped.
 */
function searchFields(article: CompiledArticle): SearchFields {
  const { id, title, description, headings, tags, front, text, collection } = article
  const keywords = front.seo_keywords ?? ''
  return {
    title,
    headings: [...headings.map((heading) => heading.text), id.replaceAll('-', ' ')].join('\n'),
    summary: `${description}\n${tags.join(' ')}\n${keywords}`,
    body: text,
    collection,
  }
}

/** Everything that can be done with an article before the database is needed. */
export function prepareArticle(article: CompiledArticle): PreparedArticle {
  const {
    front,
    headings,
    cover,
    source,
    collection,
    locale,
    problems: _problems,
    ...rest
  } = article
  // A hash of the result, not of the file: a file's hash depends on when this machine wrote it.
  const digest = createHash('sha256').update(JSON.stringify(article)).digest('base64url')
  // A text that was converted from Simplified Chinese needs none: its original is looked up
  // instead.
  const hasTerms = source === '' && relatedCollections.includes(collection)
  return {
    ...rest,
    source,
    collection,
    locale,
    front: JSON.stringify(front),
    headings: JSON.stringify(headings),
    cover: cover && JSON.stringify(cover),
    digest: digest.slice(0, 22),
    series: ('series' in front && front.series) || null,
    terms: hasTerms ? relatedTerms(article) : null,
    tokens: tokenizeFields(searchFields(article), locale),
  }
}
