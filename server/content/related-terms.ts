import type { Collection } from '../../shared/content'
import type { CompiledArticle } from './compile/compile-article'
import { fold } from './fold-text'
import { runsOf, segmentsOf } from './search-text'

/** Collections whose articles lead on to others. */
export const relatedCollections: readonly Collection[] = ['blog', 'news', 'guide', 'helps', 'docs']
/** Borne by all that shows related articles of a collection. */
export const relatedTag = (collection: Collection): string => `related:${collection}`

/** Terms that stand for an article: enough for its subject beside the words that every text holds, few enough to compare it with all others. */
const mostTerms = 32
/** What a term weighs where it stands; in the text, each time less. */
const weights = { title: 6, description: 3, headings: 2 }
const shortestWord = 4
/** Endings differ (`proxies`, `proxied`; `профиль`, `профили`); beginnings of so many letters tell words apart well enough. */
const beginning = 6
const hangul = /^\p{scx=Hang}/u

/** What of a text can be compared with other texts of its language. */
function* termsIn(text: string, locale: CompiledArticle['locale']): Generator<string> {
  for (const { text: run, spaceless } of runsOf(fold(text))) {
    if (!spaceless) {
      const letters = Array.from(run)
      if (letters.length >= shortestWord && !/^\p{N}+$/u.test(run))
        yield letters.slice(0, beginning).join('')
      // Particles cling to the end of Korean words.
    } else if (hangul.test(run)) yield Array.from(run).slice(0, 2).join('')
    else for (const word of segmentsOf(run, locale)) if (Array.from(word).length > 1) yield word
  }
}

/**
 * The terms that say most about an article, best first: those of its title, description and headings, then the most frequent of its text. How rare
 * a term is among all articles is not asked here, so the terms of a text are the same whatever else has been compiled.
 */
export function relatedTerms({
  title,
  description,
  headings,
  text,
  locale,
}: Pick<CompiledArticle, 'title' | 'description' | 'headings' | 'text' | 'locale'>): string[] {
  const named = new Map<string, number>()
  const add = (part: string, weight: number): void => {
    for (const term of new Set(termsIn(part, locale)))
      named.set(term, (named.get(term) ?? 0) + weight)
  }
  add(title, weights.title)
  add(description, weights.description)
  add(headings.map((heading) => heading.text).join('\n'), weights.headings)
  const counts = new Map<string, number>()
  for (const term of termsIn(text, locale)) counts.set(term, (counts.get(term) ?? 0) + 1)
  const weightOf = (term: string): number =>
    (named.get(term) ?? 0) + Math.log2(1 + (counts.get(term) ?? 0))
  return [...new Set([...named.keys(), ...counts.keys()])]
    .map((term) => ({ term, weight: weightOf(term) }))
    .sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1))
    .slice(0, mostTerms)
    .map(({ term }) => term)
}
