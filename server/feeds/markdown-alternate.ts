import { locales } from '../../shared/i18n/locales'
import type { Origins } from '../../shared/routes/href'
import type { LandingSection } from '../../shared/landing-schemas'
import type { FullEntry } from '../content/store/entry'
import type { LoadContext } from '../pages/loaders/context'
import { isCurrentStatement } from '../pages/loaders/landings'
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
        /(\]\(|^\[[^\]]+\]:\s+)(\/[^)\s]*)/g,
        (link, before: string, path: string) =>
          /^\/[/\\]/.test(path) ? link : before + origin + localizeLink(path, locale),
      )
    })
    .join('\n')
}

const list = (items: ReadonlyArray<{ title: string; text: string }>): string =>
  items.map(({ title, text }) => `- **${title}**: ${text}`).join('\n')

const numbered = (items: ReadonlyArray<{ title: string; text: string }>): string =>
  items.map(({ title, text }, index) => `${index + 1}. **${title}**: ${text}`).join('\n')
const bullets = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n')
const tableRow = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

function sectionContent(section: LandingSection): string {
  switch (section.kind) {
    case 'text':
      return section.paragraphs.join('\n\n')
    case 'figures':
      return bullets(section.items.map(({ value, text }) => `**${value}**: ${text}`))
    case 'points':
      return list(section.items)
    case 'steps':
      return numbered(section.items)
    case 'table':
      return [section.columns, section.columns.map(() => '---'), ...section.rows]
        .map(tableRow)
        .join('\n')
    case 'timeline':
      return bullets(section.items.map(({ time, text }) => `**${time}**: ${text}`))
    case 'rules':
      return bullets(
        section.items.map(({ text, source }) =>
          source ? `${text} ([${source.name}](${source.url}), ${source.checked})` : text,
        ),
      )
    case 'checklist':
    case 'limits':
      return bullets(section.items)
  }
}

/** A section of a landing page: heading, introduction, content. */
const sectionMarkdown = (section: LandingSection): string =>
  [`## ${section.title}`, 'text' in section ? (section.text ?? '') : '', sectionContent(section)]
    .filter((part) => part !== '')
    .join('\n\n')

/** Parts of a landing page that its front matter contains. */
function landingParts({ front }: FullEntry): string[] {
  if (!('lead' in front)) return []
  const comparison =
    'comparison' in front
      ? front.comparison.map(({ feature, ours, theirs }) => {
          const other =
            theirs && isCurrentStatement(theirs)
              ? ` / ${front.product}: ${theirs.text} (${theirs.source}, ${theirs.checked})`
              : ''
          return `- **${feature}**: ${ours}${other}`
        })
      : []
  return [
    front.lead,
    list(front.benefits ?? []),
    comparison.join('\n'),
    numbered(front.steps ?? []),
    ...(front.sections ?? []).map(sectionMarkdown),
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
