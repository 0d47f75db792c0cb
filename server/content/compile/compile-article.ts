import { createHash } from 'node:crypto'
import type { Collection } from '../../../shared/content'
import type { Cover, Heading } from '../../../shared/page-data'
import { parseFrontMatter, type Problem } from './front-matter'
import { drawDiagram } from './draw-diagram'
import { createMarkdown } from './markdown'
import type { DrawDiagram } from './markdown-diagrams'
import type { ReadPicture } from './pictures'
import type { ReadDiagram } from './read-diagram'
import { schemas, type FrontMatter } from '../schemas'
import { readingMinutes } from '../search-text'
import type { Place } from './text-place'

export type CompiledArticle = Place & {
  title: string
  description: string
  date: string | null
  updated: string | null
  category: string | null
  position: number | null
  tags: readonly string[]
  draft: boolean
  /** Moment from which it is public, ms since 1970; null = at once. */
  publish: number | null
  minutes: number
  front: FrontMatter[Collection]
  html: string
  headings: readonly Heading[]
  text: string
  /** The body as it was written, for the page's Markdown twin. */
  markdown: string
  cover: Cover | null
  /** What is missing in a text that is served all the same: pictures. */
  problems: readonly Problem[]
}

/** Hash of a source together with what else enters its compiled form. */
export const sourceHash = (source: string, salt: string): string =>
  createHash('sha256').update(salt).update('\n').update(source).digest('hex').slice(0, 32)

function deepReplace(value: unknown, brand: string): unknown {
  if (typeof value === 'string') return value.replaceAll('{{brand}}', brand)
  if (Array.isArray(value)) return value.map((item) => deepReplace(item, brand))
  if (value && typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, deepReplace(item, brand)]),
    )
  return value
}

const words = (front: Record<string, unknown>): string =>
  Object.values(front)
    .flatMap((value) =>
      typeof value === 'string'
        ? [value]
        : value && typeof value === 'object'
          ? [words(value as Record<string, unknown>)]
          : [],
    )
    .join('\n')

const render = createMarkdown()

/** The cover that front matter names, or why there is none. */
function coverOf(front: object, picture: ReadPicture): Cover | { reason: string } | null {
  if (
    !('cover' in front) ||
    !('coverAlt' in front) ||
    typeof front.cover !== 'string' ||
    typeof front.coverAlt !== 'string'
  )
    return null
  const found = picture(front.cover)
  return 'reason' in found ? found : { ...found, alt: front.coverAlt }
}

/** Draws the diagrams of a text with the words that its front matter gives them. */
function drawerOf(
  front: FrontMatter[Collection],
  locale: Place['locale'],
  read: ReadDiagram,
): DrawDiagram {
  return (name, words) => {
    const found = read(name)
    if ('reason' in found) return { html: null, problems: [found.reason] }
    const all = 'diagrams' in front ? (front.diagrams ?? {}) : {}
    const texts = (Object.hasOwn(all, name) ? all[name] : undefined) ?? {}
    const { html, problems } = drawDiagram(found, { ...words, texts, locale })
    return { html, problems: problems.map((problem) => `diagram ${name} ${problem}`) }
  }
}

/** One Markdown file to a row of the store, or the reasons why it cannot be. A picture that is missing costs the picture alone. */
export function compileArticle(
  path: string,
  place: Place,
  source: string,
  brand: string,
  picture: ReadPicture,
  diagram: ReadDiagram,
): CompiledArticle | Problem[] {
  const parsed = parseFrontMatter<FrontMatter[Collection]>(source, schemas[place.collection])
  if (!parsed.ok) return parsed.problems.map((problem) => ({ file: path, ...problem }))
  // The brand stands in site.yaml alone; what the schema checked stays what it is, only its strings are filled in.
  const front = deepReplace(parsed.value, brand) as FrontMatter[Collection]
  const markdown = parsed.body.replaceAll('{{brand}}', brand)
  const {
    html,
    headings,
    text: bodyText,
    problems,
  } = render(markdown, picture, drawerOf(front, place.locale, diagram))
  const before = source.split('\n').length - parsed.body.split('\n').length
  const cover = coverOf(front, picture)
  const lacking = cover && 'reason' in cover ? [{ line: 1, reason: `cover: ${cover.reason}` }] : []
  const text = 'benefits' in front ? `${words(front)}\n${bodyText}` : bodyText
  return {
    ...place,
    title: front.title,
    description: front.description,
    date: front.date ?? null,
    updated: front.updated ?? null,
    category:
      'category' in front
        ? front.category
        : 'section' in front
          ? front.section
          : 'kind' in front
            ? front.kind
            : null,
    position: 'order' in front ? (front.order ?? null) : null,
    tags: 'tags' in front ? (front.tags ?? []) : [],
    draft: front.draft ?? false,
    publish: front.publish ? Date.parse(front.publish) : null,
    minutes: readingMinutes(text, place.locale),
    front,
    html,
    headings,
    text,
    markdown,
    cover: cover && !('reason' in cover) ? cover : null,
    problems: [
      ...lacking,
      ...problems.map(({ line, reason }) => ({ line: line + before, reason })),
    ].map((problem) => ({ file: path, ...problem })),
  }
}
