import type { LocaleCode } from '../../shared/i18n/locales'
import { redirectFor } from '../../shared/routes/availability'
import { match } from '../../shared/routes/match'

/** What a translation must share with its source. `find` returns what it lacks. */
type SourceRule = {
  name: string
  find: (source: string, target: string, locale: LocaleCode) => string[]
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0
const withoutBlocks = (text: string): string =>
  text.replace(/^(```+|~~~+)[^\n]*\n[\s\S]*?^\1[ \t]*$/gm, '')

/** Paths of links inside the site, without anchors. */
const linksIn = (text: string): string[] =>
  [...withoutBlocks(text).matchAll(/\]\((\/[^)#?\s]*)/g)].map(([, path = '']) => path)

/** Whether a language offers the page of a link, in whatever language its text is. */
function isOffered(path: string, locale: LocaleCode): boolean {
  const found = match(path)
  return !found || redirectFor({ route: found.route.id, params: found.params }, locale) === null
}

/** Parts whose number shows that a section was added to the source, or left out here. */
const parts: ReadonlyArray<readonly [name: string, pattern: RegExp]> = [
  ['headings', /^#{2,4} /gm],
  ['code blocks', /^(?:```|~~~)/gm],
  ['rows of tables', /^\|/gm],
  ['steps', /^\d+\. /gm],
  ['pictures', /^!\[/gm],
  ['notes', /^> \[!/gm],
]

export const sourceRules: readonly SourceRule[] = [
  {
    name: 'link of the source is missing',
    find(source, target, locale) {
      const links = new Set(linksIn(target))
      return [...new Set(linksIn(source))].filter(
        (path) => !links.has(path) && isOffered(path, locale),
      )
    },
  },
  {
    // Such a link leads to the page that visitors would be redirected to.
    name: 'link to a page that the language does not offer',
    find: (_source, target, locale) =>
      [...new Set(linksIn(target))].filter((path) => !isOffered(path, locale)),
  },
  {
    name: 'bold words of the source are missing',
    find(source, target) {
      const [expected, actual] = [source, target].map((text) =>
        Math.floor(count(withoutBlocks(text).replace(/`[^`\n]*`/g, ''), /\*\*/g) / 2),
      ) as [number, number]
      return actual < expected ? [`${expected} in the source, ${actual} here`] : []
    },
  },
  {
    name: '`updated` does not cover a change of the source',
    find: (source, target) =>
      parts.flatMap(([name, pattern]) => {
        const [expected, actual] = [count(source, pattern), count(target, pattern)]
        return expected === actual ? [] : [`${name}: ${expected} in the source, ${actual} here`]
      }),
  },
]
