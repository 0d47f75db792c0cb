import { listPageSize } from '../../../shared/constants'
import type { Collection } from '../../../shared/content'
import type { Article, Card, Labelled, PageData, SidebarSection } from '../../../shared/page-data'
import { href } from '../../../shared/routes/href'
import type { Entry, FullEntry } from '../../content/store/entry'
import { relatedCollections } from '../../content/related-terms'
import { authorOf } from './author'
import { finishHtml } from '../../url/localize-links'
import {
  card,
  cards,
  category,
  coverOf,
  label,
  orderedCards,
  type LoadContext,
  type ShowContext,
} from './context'
import { upkeepOf } from './upkeep'

const tagRoutes = { blog: 'blog-tags', news: 'news-tags' } as const

/** A list of blog or news: all, of a category, or of a category and tags. Null where that names nothing. */
export function articleList(
  context: LoadContext,
  collection: 'blog' | 'news',
): PageData['articles'] | null {
  const { store, locale, params, page, tags } = context
  tags.add(collection)
  const wanted = params['tags']?.split('+') ?? []
  const filter = { ...(params['category'] ? { category: params['category'] } : {}), tags: wanted }
  const total = store.count(collection, locale, filter)
  if (total === 0 && params['category']) return null
  const pages = Math.max(1, Math.ceil(total / listPageSize))
  if (page > pages) return null
  const chosen = params['category'] ? category(context, collection, params['category']) : null
  const tagLink = (tag: string): Labelled => ({
    id: tag,
    label: label(context, `tag_${tag}`, tag),
    href: href(locale, tagRoutes[collection], { category: chosen?.id ?? '', tags: tag }),
  })
  return {
    collection,
    items: cards(
      context,
      store.newest(collection, locale, filter, listPageSize, (page - 1) * listPageSize),
    ),
    pagination: { page, pages, total, base: href(locale, context.route, params) },
    category: chosen,
    tags: wanted.map((tag) => label(context, `tag_${tag}`, tag)),
    categories: store.categories(collection, locale).map((id) => category(context, collection, id)),
    tagLinks: chosen ? store.tagsIn(collection, locale, chosen.id).map(tagLink) : [],
  }
}

/** The parts of the series that an article belongs to; a series of one is none. */
function seriesOf(context: LoadContext, entry: FullEntry): Pick<Article, 'series'> {
  const { front, collection, id } = entry
  if (!('series' in front) || !front.series) return {}
  context.tags.add(`series:${front.series}`)
  const parts = context.store
    .series(collection, context.locale, front.series)
    .flatMap((part) => card(context, part) ?? [])
  return parts.length > 1
    ? {
        series: parts.map((part) => ({
          id: part.id,
          title: part.title,
          href: part.id === id ? null : part.href,
        })),
      }
    : {}
}

function articleOf(context: LoadContext, entry: FullEntry): Article {
  const { locale } = context
  const { collection } = entry
  context.tags.add(`${collection}/${entry.id}`)
  const tagged =
    (collection === 'blog' || collection === 'news') && entry.category
      ? { route: tagRoutes[collection], category: entry.category }
      : null
  const author = authorOf(entry, context.store.site())
  return {
    collection,
    id: entry.id,
    title: entry.title,
    description: entry.description,
    html: finishHtml(entry.html, context),
    headings: entry.headings,
    minutes: entry.minutes,
    tags: entry.tags.map((tag) => ({
      id: tag,
      label: label(context, `tag_${tag}`, tag),
      ...(tagged
        ? { href: href(locale, tagged.route, { category: tagged.category, tags: tag }) }
        : {}),
    })),
    ...(entry.cover ? { cover: coverOf(entry.cover) } : {}),
    ...(entry.date ? { date: entry.date } : {}),
    ...(entry.updated ? { updated: entry.updated } : {}),
    ...(author ? { author: author.name, ...(author.url ? { authorUrl: author.url } : {}) } : {}),
    ...seriesOf(context, entry),
    ...upkeepOf(context, entry),
    ...(entry.category ? { category: category(context, collection, entry.category) } : {}),
    ...(entry.locale === locale ? {} : { foreign: entry.locale }),
  }
}

/** Entries of a collection by section, in the order of front matter: sidebar of docs, index of helps and guide. */
export function sections(context: LoadContext, collection: Collection): SidebarSection[] {
  const found = new Map<string, Card[]>()
  for (const item of orderedCards(context, collection)) {
    const section = item.category?.label ?? ''
    found.set(section, [...(found.get(section) ?? []), item])
  }
  return [...found].map(([name, items]) => ({ label: name, items }))
}

const withSidebar: readonly Collection[] = ['docs', 'helps', 'guide']

/** Articles before and after: by date, or in the order of the sidebar. */
function neighbours(
  context: LoadContext,
  entry: Entry,
  sidebar: readonly SidebarSection[],
): { previous: Card | null; next: Card | null } {
  if (sidebar.length === 0) {
    const { previous, next } = context.store.neighbours(entry, context.locale)
    return { previous: previous && card(context, previous), next: next && card(context, next) }
  }
  const flat = sidebar.flatMap((section) => section.items)
  const at = flat.findIndex((item) => item.id === entry.id)
  return { previous: flat[at - 1] ?? null, next: flat[at + 1] ?? null }
}

export function article(context: LoadContext, collection: Collection): PageData['article'] | null {
  const entry = context.store.entry(collection, context.params['id'] ?? '', context.locale)
  if (!entry) return null
  const sidebar = withSidebar.includes(collection) ? sections(context, collection) : []
  const related = relatedCollections.includes(collection)
    ? context.island('RelatedArticles', { collection, id: entry.id })
    : null
  return {
    article: articleOf(context, entry),
    ...neighbours(context, entry, sidebar),
    sidebar,
    related,
  }
}

export function release(context: LoadContext): PageData['release'] | null {
  const entry = context.store.entry('release', context.params['id'] ?? '', context.locale)
  return (
    entry && {
      article: articleOf(context, entry),
      files: entry.front.files,
      ...neighbours(context, entry, []),
    }
  )
}

/** How many pages the release list has in a language; at least one, be it empty. */
function releasePages({ store, locale }: ShowContext): { total: number; pages: number } {
  const total = store.count('release', locale, {})
  return { total, pages: Math.max(1, Math.ceil(total / listPageSize)) }
}

export function releases(context: LoadContext): PageData['releases'] | null {
  const { locale, page, tags, route } = context
  tags.add('release')
  const { total, pages } = releasePages(context)
  if (page > pages) return null
  return {
    list: context.island('ReleaseList', { page: String(page) }),
    pagination: { page, pages, total, base: href(locale, route) },
  }
}

/** One page of the release list; null past its end. */
export function releaseItems(
  context: ShowContext,
  page: number,
): { items: ReadonlyArray<Card & { highlights: readonly string[] }> } | null {
  const { store, locale, tags } = context
  tags.add('release')
  if (page > releasePages(context).pages) return null
  const items = store
    .newest('release', locale, {}, listPageSize, (page - 1) * listPageSize)
    .flatMap((entry) => {
      const item = card(context, entry)
      return item
        ? [
            {
              ...item,
              highlights: store.entry('release', entry.id, locale)?.front.highlights ?? [],
            },
          ]
        : []
    })
  return { items }
}

/** The newest release, which is the one to download. */
export function newestRelease({ store, locale, tags }: ShowContext): FullEntry<'release'> | null {
  tags.add('release')
  const [newest] = store.newest('release', locale, {}, 1, 0)
  return (newest && store.entry('release', newest.id, locale)) ?? null
}

export function download(context: LoadContext): PageData['download'] {
  const entry = newestRelease(context)
  if (!entry) return { release: null }
  const verify = {
    windows: context.island('HighlightedCode', { snippet: 'verify-windows' }),
    mac: context.island('HighlightedCode', { snippet: 'verify-mac' }),
  }
  return {
    release: {
      id: entry.id,
      href: href(context.locale, 'release-detail', { id: entry.id }),
      date: entry.date ?? '',
      files: entry.front.files,
      verify,
    },
  }
}

/** A page of the authors' own, by its single segment. */
export function ownPage(context: LoadContext): Article | null {
  const entry = context.store.entry('pages', context.params['html'] ?? '', context.locale)
  return entry && articleOf(context, entry)
}
