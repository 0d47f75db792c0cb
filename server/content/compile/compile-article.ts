import { createHash } from 'node:crypto'
import type { Collection } from '../../../shared/front-matter'
import type { LocaleCode } from '../../../shared/i18n/locales'
import type { Cover, Heading } from '../../../shared/page-data'
import { parseFrontMatter, type Problem } from './front-matter'
import { drawDiagram } from './draw-diagram'
import { createMarkdown } from './markdown'
import type { DrawDiagram } from './markdown-diagrams'
import type { ReadPicture } from './read-picture'
import type { ReadDiagram } from './read-diagram'
import { schemas, type FrontMatter } from '../../../shared/front-matter'
import { fillAllReferences, fillMarkdown, unknownReferences, type References } from '../references'
import { readingMinutes } from '../search-text'
import type { ArticleKey } from './content-path'

export type CompiledArticle = ArticleKey & {
  /** Language that the text was converted from; '' where it was written in its language. */
  source: LocaleCode | ''
  title: string
  description: string
  date: string | null
  updated: string | null
  category: string | null
  position: number | null
  tags: readonly string[]
  draft: boolean
  /** Time from which it is public (ms since 1970); null: immediately. */
  publish: number | null
  /** Reading time. */
  minutes: number
  front: FrontMatter[Collection]
  html: string
  headings: readonly Heading[]
  text: string
  /** The body's source, for the page's Markdown alternate. */
  markdown: string
  cover: Cover | null
  /** Problems of an article that is served nevertheless, such as missing pictures. */
  problems: readonly Problem[]
}

/** Hash of a source and of everything else that its compiled form depends on. */
export const sourceHash = (source: string, salt: string): string =>
  createHash('sha256').update(salt).update('\n').update(source).digest('hex').slice(0, 32)

/** Fields whose strings are not sentences that people search for. */
const keysWithoutText: ReadonlySet<string> = new Set([
  'picture',
  'kind',
  'icon',
  'related',
  'documents',
  'url',
  'checked',
  'updated',
])

/** All sentences of front matter, one per line: the text of a landing page. */
const textOf = (front: object): string =>
  Object.entries(front)
    .flatMap(([key, value]: [string, unknown]) => {
      if (keysWithoutText.has(key)) return []
      if (typeof value === 'string') return [value]
      return typeof value === 'object' && value !== null ? [textOf(value)] : []
    })
    .join('\n')

const renderMarkdown = createMarkdown()

/** The cover that front matter names, or why it cannot be shown; null where it names none. */
function readCover(front: object, readPicture: ReadPicture): Cover | { reason: string } | null {
  if (
    !('cover' in front) ||
    !('coverAlt' in front) ||
    typeof front.cover !== 'string' ||
    typeof front.coverAlt !== 'string'
  )
    return null
  const found = readPicture(front.cover)
  return 'reason' in found ? found : { ...found, alt: front.coverAlt }
}

/** Draws the diagrams of an article with the texts in its front matter. */
function createDiagramDrawer(
  front: FrontMatter[Collection],
  locale: ArticleKey['locale'],
  readDiagram: ReadDiagram,
): DrawDiagram {
  const allTexts = 'diagrams' in front ? (front.diagrams ?? {}) : {}
  return (name, description) => {
    const diagram = readDiagram(name)
    if ('reason' in diagram) return { html: null, problems: [diagram.reason] }
    const texts = (Object.hasOwn(allTexts, name) ? allTexts[name] : undefined) ?? {}
    const { html, problems } = drawDiagram(diagram, { ...description, texts, locale })
    return { html, problems: problems.map((problem) => `diagram ${name} ${problem}`) }
  }
}

/** The value that lists group an article by; its field depends on the collection. */
function categoryOf(front: FrontMatter[Collection]): string | null {
  if ('category' in front) return front.category
  if ('section' in front) return front.section
  return 'kind' in front ? front.kind : null
}

/**
 * Compiles one Markdown file, or returns the reasons why it cannot be. A picture that is missing
 * is reported and left out; the article is compiled nevertheless.
 */
export function compileArticle(
  path: string,
  key: ArticleKey,
  source: string,
  references: References,
  readPicture: ReadPicture,
  readDiagram: ReadDiagram,
): CompiledArticle | Problem[] {
  const parsed = parseFrontMatter<FrontMatter[Collection]>(source, schemas[key.collection])
  if (!parsed.ok) return parsed.problems.map((problem) => ({ file: path, ...problem }))
  // The cast: filling in facts changes strings only, so the type stays what the schema checked.
  const front = fillAllReferences(parsed.value, references) as FrontMatter[Collection]
  const unknown = unknownReferences(source, references)
  if (unknown.length > 0)
    return unknown.map(({ name, line }) => ({
      file: path,
      line,
      reason: `{{${name}}}: there is no such fact`,
    }))
  const markdown = fillMarkdown(parsed.body, references)
  const drawDiagram = createDiagramDrawer(front, key.locale, readDiagram)
  const body = renderMarkdown(markdown, readPicture, drawDiagram)
  const frontMatterLines = source.split('\n').length - parsed.body.split('\n').length
  const cover = readCover(front, readPicture)
  const problems = [
    ...(cover && 'reason' in cover ? [{ line: 1, reason: `cover: ${cover.reason}` }] : []),
    ...body.problems.map(({ line, reason }) => ({ line: line + frontMatterLines, reason })),
  ]
  const text = 'lead' in front ? `${textOf(front)}\n${body.text}` : body.text
  return {
    ...key,
    source: '',
    title: front.title,
    description: front.description,
    date: front.date ?? null,
    updated: front.updated ?? null,
    category: categoryOf(front),
    position: 'order' in front ? (front.order ?? null) : null,
    tags: 'tags' in front ? (front.tags ?? []) : [],
    draft: front.draft ?? false,
    publish: front.publish ? Date.parse(front.publish) : null,
    minutes: readingMinutes(text, key.locale),
    front,
    html: body.html,
    headings: body.headings,
    text,
    markdown,
    cover: cover && !('reason' in cover) ? cover : null,
    problems: problems.map((problem) => ({ file: path, ...problem })),
  }
}
