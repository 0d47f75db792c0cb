import { locales } from '../../shared/i18n/locales'
import type { FullEntry } from '../content/store/entry'
import type { LoadContext } from '../pages/loaders/context'
import { localLink } from '../url/localize-links'
import type { Origins } from '../../shared/routes/href'

type Asked = Pick<LoadContext, 'store' | 'locale'> & { origins: Origins }

/** Unprefixed links of the source as absolute addresses in the page's language; what stands in fenced code is left alone. */
function absoluteLinks(markdown: string, { locale, origins }: Asked): string {
  let fence: string | null = null
  return markdown
    .split('\n')
    .map((line) => {
      const [mark] = /^\s*(`{3,}|~{3,})/.exec(line) ?? []
      if (mark && (fence === null || mark.trim().startsWith(fence)))
        fence = fence === null ? mark.trim() : null
      return fence !== null || mark
        ? line
        : line.replace(
            /(\]\(|^\[[^\]]+\]:\s+)(\/(?![/\\])[^)\s]*)/g,
            (_, before: string, path: string) =>
              before + origins[locales[locale].domain] + localLink(path, locale),
          )
    })
    .join('\n')
}

const list = (items: ReadonlyArray<{ title: string; text: string }>): string =>
  items.map(({ title, text }) => `- **${title}**: ${text}`).join('\n')

/** What a landing page holds in its front matter, as Markdown. */
function landingText({ front }: FullEntry): string[] {
  if (!('benefits' in front)) return []
  const rows =
    'comparison' in front
      ? front.comparison.map(
          ({ feature, ours, theirs }) =>
            `- **${feature}**: ${ours}${theirs ? ` / ${front.product}: ${theirs.text} (${theirs.source}, ${theirs.checked})` : ''}`,
        )
      : []
  return [
    front.lead,
    list(front.benefits),
    rows.join('\n'),
    front.steps.map(({ title, text }, index) => `${index + 1}. **${title}**: ${text}`).join('\n'),
    front.questions.map(({ question, answer }) => `### ${question}\n\n${answer}`).join('\n\n'),
  ]
}

/** The Markdown twin of an entry's page: title, summary, and the text as its author wrote it, with absolute links. */
export function markdownAlternate(entry: FullEntry, asked: Asked): string {
  const dates = [entry.date, entry.updated].filter(Boolean).join(' / ')
  const parts = [
    `# ${entry.title}`,
    `> ${entry.description}`,
    dates,
    ...landingText(entry),
    absoluteLinks(asked.store.markdown(entry), asked).trim(),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}
