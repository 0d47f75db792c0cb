import { listPageSize } from '../../../shared/constants'
import type { Collection } from '../../../shared/front-matter'
import { locales } from '../../../shared/i18n/locales'
import type { Article, Card, Labeled, PageData, SidebarSection } from '../../../shared/page-data'
import { href } from '../../../shared/routes/href'
import type { ArticleCollection } from '../../../shared/routes/route-row'
import type { Entry, FullEntry } from '../../content/store/entry'
import { datedCollections, relatedCollections, relatedTag } from '../../content/store/related'
import { sourcePath } from '../../content/source-path'
import { localizeHtml } from '../../url/localize-links'
import { authorOf } from './author'
import {
  cardOf,
  cardsOf,
  categoryOf,
  labelOf,
  localDay,
  orderedCards,
  parseCover,
  titlesOf,
} from './cards'
import type { LoadContext } from './context'
import { foreignOf } from './foreign'

/** Documentation: articles have a sidebar, a link to edit them, and a note when outdated. */
const documentation: readonly Collection[] = ['docs', 'helps', 'guide']

/** A list of blog or news: all articles, those of a category, or those of a category with tags. */
export function loadArticleList(
  context: LoadContext,
  collection: ArticleCollection,
): PageData['articles'] | null {
  const { store, locale, params, page } = context
  context.tags.add(collection)
  const tags = params['tags']?.split('+') ?? []
  const filter = { ...(params['category'] ? { category: params['category'] } : {}), tags }
  const total = store.countEntries(collection, locale, filter)
  if (total === 0 && params['category']) return null
  const pages = Math.max(1, Math.ceil(total / listPageSize))
  if (page > pages) return null
  const offset = (page - 1) * listPageSize
  const entries = store.listNewest(collection, locale, filter, listPageSize, offset)
  const categories = store.listCategories(collection, locale)
  const category = params['category'] ? categoryOf(context, collection, params['category']) : null
  return {
    collection,
    items: cardsOf(context, entries),
    pagination: { page, pages, total, base: href(locale, context.route, params) },
    category,
    tags: tags.map((tag) => labelOf(context, `tag_${tag}`, tag)),
    categories: categories.map((id) => categoryOf(context, collection, id)),
    tagLinks: category
      ? store
          .listTags(collection, locale, category.id)
          .map((tag) => tagLink(context, collection, category.id, tag))
      : [],
  }
}

const tagLink = (
  context: LoadContext,
  collection: ArticleCollection,
  category: string,
  tag: string,
): Labeled => ({
  id: tag,
  label: labelOf(context, `tag_${tag}`, tag),
  href: href(context.locale, `${collection}-tags`, { category, tags: tag }),
})

/** Entries by section, in the order of front matter: the index of helps and guide. */
function sectionsOf(context: LoadContext, collection: Collection): SidebarSection[] {
  const byLabel = new Map<string, Card[]>()
  for (const item of orderedCards(context, collection)) {
    const label = item.category?.label ?? ''
    byLabel.set(label, [...(byLabel.get(label) ?? []), item])
  }
  return [...byLabel].map(([label, items]) => ({ label, items }))
}

/** The same as links: the sidebar shows no summaries. */
export const sidebarOf = (context: LoadContext, collection: Collection): SidebarSection[] =>
  sectionsOf(context, collection).map(({ label, items }) => ({ label, items: titlesOf(items) }))

export function loadSections(
  context: LoadContext,
  collection: 'guide' | 'helps',
): PageData['sections'] | null {
  const sections = sectionsOf(context, collection)
  return sections.length > 0 ? { collection, sections } : null
}

export function loadArticle(
  context: LoadContext,
  collection: Collection,
): PageData['article'] | null {
  const entry = context.store.findEntry(collection, context.params['id'] ?? '', context.locale)
  if (!entry) return null
  const sidebar = documentation.includes(collection) ? sidebarOf(context, collection) : []
  const related = relatedCollections.includes(collection)
    ? context.island('RelatedArticles', { collection, id: entry.id })
    : null
  return {
    article: articleOf(context, entry),
    ...neighborsOf(context, entry, sidebar),
    sidebar,
    related,
  }
}

/** A page of the collection `pages`, such as the privacy policy. */
export function loadTextPage(context: LoadContext): Article | null {
  const entry = context.store.findEntry('pages', context.params['html'] ?? '', context.locale)
  return entry && articleOf(context, entry)
}

export function articleOf(context: LoadContext, entry: FullEntry): Article {
  const { store, tags } = context
  const { collection, category } = entry
  tags.add(`${collection}/${entry.id}`)
  const hasTagLists = (collection === 'blog' || collection === 'news') && category
  const author = authorOf(entry, store.siteConfig())
  return {
    collection,
    id: entry.id,
    title: entry.title,
    description: entry.description,
    html: localizeHtml(entry.html, context),
    headings: entry.headings,
    minutes: entry.minutes,
    tags: entry.tags.map((tag) =>
      hasTagLists
        ? tagLink(context, collection, category, tag)
        : { id: tag, label: labelOf(context, `tag_${tag}`, tag) },
    ),
    ...(entry.cover ? { cover: parseCover(entry.cover) } : {}),
    ...(entry.date ? { date: localDay(context, entry.date) } : {}),
    ...(entry.updated ? { updated: localDay(context, entry.updated) } : {}),
    ...(author ? { author: author.name, ...(author.url ? { authorUrl: author.url } : {}) } : {}),
    ...('since' in entry.front && entry.front.since ? { since: entry.front.since } : {}),
    ...seriesOf(context, entry),
    ...editingInfo(context, entry),
    ...(category ? { category: categoryOf(context, collection, category) } : {}),
    ...foreignOf(context, entry),
  }
}

/** The parts of an article's series; nothing for a series of one article. */
function seriesOf(context: LoadContext, entry: FullEntry): Pick<Article, 'series'> {
  const { front, collection, id } = entry
  if (!('series' in front) || !front.series) return {}
  context.tags.add(`series:${front.series}`)
  const parts = cardsOf(context, context.store.listSeries(collection, context.locale, front.series))
  if (parts.length < 2) return {}
  return {
    series: parts.map((part) => ({
      id: part.id,
      title: part.title,
      href: part.id === id ? null : part.href,
    })),
  }
}

/** Articles before and after one: by date, or in the order of the sidebar. */
export function neighborsOf(
  context: LoadContext,
  entry: Entry,
  sidebar: readonly SidebarSection[],
): { previous: Card | null; next: Card | null } {
  if (datedCollections.includes(entry.collection)) {
    context.tags.add(relatedTag(entry.collection))
    const { previous, next } = context.store.findNeighbors(entry, context.locale)
    return { previous: previous && cardOf(context, previous), next: next && cardOf(context, next) }
  }
  const items = sidebar.flatMap((section) => section.items)
  const index = items.findIndex((item) => item.id === entry.id)
  return { previous: items[index - 1] ?? null, next: items[index + 1] ?? null }
}

const lastChange = ({ updated, date }: Pick<Entry, 'updated' | 'date'>): string =>
  updated ?? date ?? ''

/** The text that a translation was made from: the first of the language's fallbacks that exists. */
function originalOf({ store }: LoadContext, entry: FullEntry): FullEntry | null {
  const written = store.localesOf(entry.collection, entry.id)
  const code = locales[entry.locale].fallback.find(
    (candidate) => candidate !== entry.locale && written.includes(candidate),
  )
  return code ? store.findEntry(entry.collection, entry.id, code) : null
}

/** Where documentation is edited, and whether its original changed after the translation. */
function editingInfo(context: LoadContext, entry: FullEntry): Pick<Article, 'edit' | 'outdated'> {
  const { collection } = entry
  if (!documentation.includes(collection)) return {}
  const { edit_url: editUrl } = context.store.siteConfig()
  const original = originalOf(context, entry)
  const changed = original ? lastChange(original) : ''
  return {
    ...(editUrl ? { edit: editUrl.replaceAll('{path}', sourcePath(entry)) } : {}),
    ...(original && changed > lastChange(entry)
      ? { outdated: { source: original.locale, changed: localDay(context, changed) } }
      : {}),
  }
}
