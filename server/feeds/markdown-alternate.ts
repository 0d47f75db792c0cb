import { locales } from '../../shared/i18n/locales'
import type { Origins } from '../../shared/routes/href'
import type { FullEntry } from '../content/store/entry'
import type { LoadContext } from '../pages/loaders/context'
import { localizeLink } from '../url/localize-links'

type MarkdownContext = Pick<LoadContext, 'store' | 'locale'> & { origins: Origins }

/** Makes links to this site absolute, in the language of the page; fenced code stays unchanged. */
function withAbsoluteLinks(markdown: string, { locale, origins }: MarkdownContext): string {
  const origin = origins[locales[locale].domain]
  let fence: string | null = null
  return markdown
    .split('\n')
    .map((line) => {
      const [fenceMark] = /^\s*(`{3,}|~{3,})/.exec(line) ?? []
      if (fenceMark && (fence === null || fenceMark.trim().startsWith(fence)))
        fence = fence === null ? fenceMark.trim() : null
      if (fence !== null || fenceMark) return line
      return line.replace(
        /(\]\(|^\[[^\]]+\]:\s+)(\/(?![/\\])[^)\s]*)/g,
        (_, before: string, path: string) => before + origin + localizeLink(path, locale),
      )
    })
    .join('\n')
}

const list = (items: ReadonlyArray<{ title: string; text: string }>): string =>
  items.map(({ title, text }) => `- **${title}**: ${text}`).join('\n')

/** Parts of a landing page that its front matter contains. */
function landingParts({ front }: FullEntry): string[] {
  if (!('benefits' in front)) return []
  const comparison =
    'comparison' in front
      ? front.comparison.map(({ feature, ours, theirs }) => {
          const other = theirs
            ? ` / ${front.product}: ${theirs.text} (${theirs.source}, ${theirs.checked})`
            : ''
          return `- **${feature}**: ${ours}${other}`
        })
      : []
  return [
    front.lead,
    list(front.benefits),
    comparison.join('\n'),
    front.steps.map(({ title, text }, index) => `${index + 1}. **${title}**: ${text}`).join('\n'),
    front.questions.map(({ question, answer }) => `### ${question}\n\n${answer}`).join('\n\n'),
  ]
}

/** An entry as Markdown: title, description, dates, and its source text with absolute links. */
export function markdownAlternate(entry: FullEntry, context: MarkdownContext): string {
  const parts = [
    `# ${entry.title}`,
    `> ${entry.description}`,
    [entry.date, entry.updated].filter(Boolean).join(' / '),
    ...landingParts(entry),
    withAbsoluteLinks(context.store.readMarkdown(entry), context).trim(),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}
