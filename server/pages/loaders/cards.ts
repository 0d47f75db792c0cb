import type { Collection } from '../../../shared/front-matter'
import { formatDay } from '../../../shared/i18n/format-day'
import { languageName } from '../../../shared/i18n/language-name'
import type { Card, Cover, Labeled, LocalDay } from '../../../shared/page-data'
import { href } from '../../../shared/routes/href'
import { navKeyOf } from '../../../shared/routes/nav'
import type { Entry } from '../../content/store/entry'
import { entryHref } from '../../url/entry-href'
import type { ContentContext } from './context'

/** Label of a category, section or tag; without a text, its id. */
export function labelOf({ store, locale }: ContentContext, key: string, id: string): string {
  const text = store.texts(locale, 'categories')[key]
  return typeof text === 'string' ? text : id.replaceAll('-', ' ')
}

export function categoryOf(context: ContentContext, collection: Collection, id: string): Labeled {
  const label = labelOf(context, `${collection}_${id}`, id)
  return collection === 'blog' || collection === 'news'
    ? { id, label, href: href(context.locale, `${collection}-category`, { category: id }) }
    : { id, label }
}

/** Menu text of a landing page: it is translated even where the page is not. */
function menuName({ store, locale }: ContentContext, { collection, id }: Entry): string | null {
  const name =
    collection === 'industries'
      ? store.texts(locale, 'categories')[`industry_${id}`]
      : collection === 'solutions' || collection === 'features'
        ? store.texts(locale, 'menus')[navKeyOf(id)]
        : null
  return typeof name === 'string' ? name : null
}

/** What differs on a link to a text in another language: its menu name replaces foreign texts. */
function foreignCard(context: ContentContext, entry: Entry): Partial<Card> {
  const name = menuName(context, entry)
  return {
    foreign: entry.locale,
    ...(name
      ? { title: name, description: undefined, mark: languageName(entry.locale, context.locale) }
      : {}),
  }
}

export const localDay = ({ locale }: Pick<ContentContext, 'locale'>, day: string): LocalDay => ({
  day,
  text: formatDay(day, locale),
})

/** A cover from JSON; the cast: the content process validated it before it stored it. */
export const parseCover = (json: string): Cover => JSON.parse(json) as Cover

/** An entry as a link; null where the language does not offer it. */
export function cardOf(
  context: ContentContext,
  entry: Entry,
  extra: Partial<Card> = {},
): Card | null {
  const path = entryHref(entry.collection, entry.id, context.locale)
  if (!path) return null
  context.tags.add(`${entry.collection}/${entry.id}`)
  return {
    id: entry.id,
    href: path,
    title: entry.title,
    description: entry.description,
    ...(entry.cover ? { cover: parseCover(entry.cover) } : {}),
    ...(entry.date ? { date: localDay(context, entry.date) } : {}),
    ...(entry.category ? { category: categoryOf(context, entry.collection, entry.category) } : {}),
    ...(entry.locale === context.locale || entry.converted ? {} : foreignCard(context, entry)),
    ...extra,
  }
}

export const cardsOf = (context: ContentContext, entries: readonly Entry[]): Card[] =>
  entries.flatMap((entry) => cardOf(context, entry) ?? [])

/** All entries of a small collection in their order, with the icons of their front matter. */
export function orderedCards(context: ContentContext, collection: Collection): Card[] {
  context.tags.add(collection)
  return context.store
    .listOrdered(collection, context.locale)
    .flatMap((entry) => cardOf(context, entry, entry.icon ? { icon: entry.icon } : {}) ?? [])
}

/** Cards for a place that shows only titles: a summary would make the page heavier unseen. */
export const titlesOf = (cards: readonly Card[]): Card[] =>
  cards.map(({ id, href: path, title, icon, foreign, mark }) => ({
    id,
    href: path,
    title,
    icon,
    foreign,
    mark,
  }))
