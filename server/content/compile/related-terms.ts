import type { LocaleCode } from '../../../shared/i18n/locales'
import { fold } from '../fold-text'
import { segmentWords, splitRuns } from '../search-text'
import type { CompiledArticle } from './compile-article'

/**
 * Terms kept of an article: enough to tell its subject besides the words that every text has, few
 * enough to compare it with all other articles.
 */
const maxTerms = 32
/** Weight of a term by where it is. In the text, each further occurrence adds less. */
const weights = { title: 6, description: 3, headings: 2 }
const minWordLength = 4
/**
 * Words are compared by this many first letters: enough to tell them apart, and independent of
 * their endings (`proxies`, `proxied`; `профиль`, `профили`).
 */
const stemLength = 6
const hangul = /^\p{scx=Hang}/u

/**
 * The terms of a run, by which articles are compared. A word has one, its beginning; a short word
 * or a number has none. Text without spaces has a term for each of its words.
 */
function termsOf(run: string, spaceless: boolean, locale: LocaleCode): readonly string[] {
  const letters = Array.from(run)
  if (!spaceless)
    return letters.length >= minWordLength && !/^\p{N}+$/u.test(run)
      ? [letters.slice(0, stemLength).join('')]
      : []
  // Particles are attached to the end of Korean words.
  if (hangul.test(run)) return [letters.slice(0, 2).join('')]
  return segmentWords(run, locale).filter((word) => Array.from(word).length > 1)
}

/** How often each term occurs in a text. */
function countTerms(text: string, locale: LocaleCode): Map<string, number> {
  const runs = new Map<string, { spaceless: boolean; count: number }>()
  for (const { text: run, spaceless } of splitRuns(fold(text))) {
    const known = runs.get(run)
    if (known) known.count += 1
    else runs.set(run, { spaceless, count: 1 })
  }
  const counts = new Map<string, number>()
  for (const [run, { spaceless, count }] of runs)
    for (const term of termsOf(run, spaceless, locale))
      counts.set(term, (counts.get(term) ?? 0) + count)
  return counts
}

/**
 * The most significant terms of an article, best first: those of its title, description and
 * headings, then the most frequent of its text. The frequency among other articles is not taken
 * into account here, so a text's terms do not depend on what else is compiled.
 */
export function relatedTerms({
  title,
  description,
  headings,
  text,
  locale,
}: Pick<CompiledArticle, 'title' | 'description' | 'headings' | 'text' | 'locale'>): string[] {
  const scores = new Map<string, number>()
  const addAll = (part: string, weight: number): void => {
    for (const term of countTerms(part, locale).keys())
      scores.set(term, (scores.get(term) ?? 0) + weight)
  }
  addAll(title, weights.title)
  addAll(description, weights.description)
  addAll(headings.map((heading) => heading.text).join('\n'), weights.headings)
  for (const [term, count] of countTerms(text, locale))
    scores.set(term, (scores.get(term) ?? 0) + Math.log2(1 + count))
  return [...scores]
    .sort(([termA, a], [termB, b]) => b - a || (termA < termB ? -1 : 1))
    .slice(0, maxTerms)
    .map(([term]) => term)
}
