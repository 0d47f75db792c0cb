import type { Collection } from '../../../shared/content'
import { languageName } from '../../../shared/i18n/language-name'
import type { LocaleCode } from '../../../shared/i18n/locales'
import type { IslandName, IslandProps, IslandUse } from '../../../shared/islands'
import type { Card, Cover, Labelled } from '../../../shared/page-data'
import { href } from '../../../shared/routes/href'
import type { Params } from '../../../shared/routes/match'
import type { RouteId } from '../../../shared/routes/table'
import type { Entry } from '../../content/store/entry'
import type { ContentStore } from '../../content/store/store'
import { entryHref } from '../../url/entry-href'

/** What everything that shows content works with. `tags` gathers the surrogate tags of all that is shown (decisions 8). */
export type ShowContext = { store: ContentStore; locale: LocaleCode; tags: Set<string> }

/** What the loader of a page works with. `island` notes an island that the page shows and gives what `<Island>` takes. */
export type LoadContext = ShowContext & {
  route: RouteId
  params: Params
  page: number
  path: string
  island: (name: IslandName, props: IslandProps) => IslandUse
}

/** Label of a category, section or tag, from the texts; its id where there is none. */
export function label({ store, locale }: ShowContext, key: string, id: string): string {
  const text = store.texts(locale, 'categories')[key]
  return typeof text === 'string' ? text : id.replaceAll('-', ' ')
}

/** The route that lists a category of blog or news. */
const categoryRoutes = { blog: 'blog-category', news: 'news-category' } as const

export function category(context: ShowContext, collection: Collection, id: string): Labelled {
  const name = label(context, `${collection}_${id}`, id)
  return collection === 'blog' || collection === 'news'
    ? { id, label: name, href: href(context.locale, categoryRoutes[collection], { category: id }) }
    : { id, label: name }
}

/** Name of a landing page in the interface's texts: menus have it in every language, also where the page itself is not translated. */
function interfaceName({ store, locale }: ShowContext, { collection, id }: Entry): string | null {
  const key = id.toUpperCase().replaceAll('-', '_')
  const found =
    collection === 'industries'
      ? store.texts(locale, 'categories')[`industry_${id}`]
      : collection === 'solutions' || collection === 'features'
        ? store.texts(locale, 'shell')[`NAVBAR_${key}`]
        : null
  return typeof found === 'string' ? found : null
}

/** What a link to a text in another language shows: a name in the page's language where the interface has one, and no foreign summary. */
function foreignCard(context: ShowContext, entry: Entry): Partial<Card> {
  const name = interfaceName(context, entry)
  return {
    foreign: entry.locale,
    ...(name
      ? { title: name, description: '', mark: languageName(entry.locale, context.locale) }
      : {}),
  }
}

/** A cover as the content process stored it. */
export const coverOf = (json: string): Cover => JSON.parse(json) as Cover

/** An entry as a link; null where the language does not offer it. */
export function card(context: ShowContext, entry: Entry, extra: Partial<Card> = {}): Card | null {
  const address = entryHref(entry.collection, entry.id, context.locale)
  if (!address) return null
  context.tags.add(`${entry.collection}/${entry.id}`)
  return {
    id: entry.id,
    href: address,
    title: entry.title,
    description: entry.description,
    ...(entry.cover ? { cover: coverOf(entry.cover) } : {}),
    ...(entry.date ? { date: entry.date } : {}),
    ...(entry.category ? { category: category(context, entry.collection, entry.category) } : {}),
    ...(entry.locale === context.locale ? {} : foreignCard(context, entry)),
    ...extra,
  }
}

export const cards = (context: ShowContext, entries: readonly Entry[]): Card[] =>
  entries.flatMap((entry) => card(context, entry) ?? [])

/** All entries of a small collection in their order, with icons where front matter names them. */
export function orderedCards(context: ShowContext, collection: Collection): Card[] {
  context.tags.add(collection)
  return context.store
    .ordered(collection, context.locale)
    .flatMap((entry) => card(context, entry, entry.icon ? { icon: entry.icon } : {}) ?? [])
}
