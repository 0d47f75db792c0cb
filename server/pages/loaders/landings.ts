import { contentChecks, dayMs } from '../../../shared/constants'
import type { Collection } from '../../../shared/front-matter'
import type { Resources } from '../../../shared/i18n/generated-namespaces'
import type { Card, Comparison, Landing, PageData } from '../../../shared/page-data'
import { industryOf, switchLocale } from '../../../shared/routes/availability'
import { href } from '../../../shared/routes/href'
import { alternativeIds, nav } from '../../../shared/routes/nav'
import type { FullEntry } from '../../content/store/entry'
import { entryHref } from '../../url/entry-href'
import { localizeHtml } from '../../url/localize-links'
import { loadTextPage, sidebarOf } from './articles'
import { cardOf, cardsOf, orderedCards, titlesOf } from './cards'
import type { ContentContext, LoadContext } from './context'
import { foreignOf } from './foreign'

export const landingCollections = ['solutions', 'alternatives', 'features', 'industries'] as const
type LandingCollection = (typeof landingCollections)[number]

/** A landing page that the language offers, in that language or its fallback. */
export function findLanding(
  { store, locale, tags }: ContentContext,
  collection: LandingCollection,
  id: string,
): FullEntry<LandingCollection> | null {
  const entry = entryHref(collection, id, locale) ? store.findEntry(collection, id, locale) : null
  if (entry) tags.add(`${collection}/${id}`)
  return entry
}

/** A statement about another product is hidden when it was checked too long ago to be relied on. */
export const isCurrentStatement = ({ checked }: { checked: string }): boolean =>
  Date.now() - Date.parse(checked) <= contentChecks.maxFactAgeDays * dayMs

function landingOf(context: LoadContext, entry: FullEntry<LandingCollection>): Landing {
  const { front } = entry
  const source = { collection: entry.collection, id: entry.id }
  context.tags.add(`${entry.collection}/${entry.id}`)
  return {
    collection: entry.collection,
    id: entry.id,
    title: front.title,
    description: front.description,
    lead: front.lead,
    ...(front.picture ? { picture: context.island('LandingHeroPicture', source) } : {}),
    ...(front.sections ? { sections: context.island('LandingBody', source) } : {}),
    benefits: front.benefits ?? [],
    steps: front.steps ?? [],
    questions: front.questions,
    html: localizeHtml(entry.html, context),
    ...(front.icon ? { icon: front.icon } : {}),
    ...('comparison' in front
      ? {
          product: front.product,
          comparison: context.island('ComparisonTable', { id: entry.id }),
          hasStatements: front.comparison.some(
            ({ theirs }) => theirs && isCurrentStatement(theirs),
          ),
        }
      : {}),
    ...foreignOf(context, entry),
  }
}

/** The table of a comparison page; null where the page does not exist. */
export function comparisonOf(
  { store, locale, tags }: ContentContext,
  id: string,
): Comparison | null {
  const entry = store.findEntry('alternatives', id, locale)
  if (!entry) return null
  tags.add(`alternatives/${id}`)
  const rows = entry.front.comparison.map(({ feature, ours, theirs }) => ({
    feature,
    ours,
    ...(theirs && isCurrentStatement(theirs) ? { theirs } : {}),
  }))
  return {
    product: entry.front.product,
    rows,
    ...foreignOf({ locale }, entry),
  }
}

/** Related pages of the front matter that the language offers. */
function relatedCards(
  context: LoadContext,
  collection: Collection,
  ids: readonly string[] = [],
): Card[] {
  return ids.flatMap((id) => {
    // Also of one that does not exist: when it is published, the page must show it.
    context.tags.add(`${collection}/${id}`)
    const related = context.store.findEntry(collection, id, context.locale)
    if (!related) return []
    const icon = 'icon' in related.front ? related.front.icon : undefined
    return cardOf(context, related, icon ? { icon } : {}) ?? []
  })
}

export function loadLanding(
  context: LoadContext,
  collection: LandingCollection,
  id = context.params['id'] ?? '',
): PageData['landing'] | null {
  const entry = context.store.findEntry(collection, id, context.locale)
  return (
    entry && {
      landing: landingOf(context, entry),
      related: relatedCards(context, collection, entry.front.related),
      documents: relatedCards(context, 'docs', entry.front.documents),
    }
  )
}

/** `/{html}`: a feature, an industry or a text page. */
export function loadSingle(context: LoadContext): PageData['single'] | null {
  const slug = context.params['html'] ?? ''
  const landing =
    loadLanding(context, 'features', slug) ??
    loadLanding(context, 'industries', industryOf(slug) ?? '')
  if (landing) return { kind: 'landing', ...landing }
  const article = loadTextPage(context)
  return article && { kind: 'text', article }
}

/** A link below them on the home page leads to the complete list. */
const maxHomeSolutions = 9

export function loadHome(context: LoadContext): PageData['home'] {
  const { store, locale, tags } = context
  tags.add('blog')
  // Russian has no blog. Other languages show posts in their own language only.
  const newest = switchLocale({ route: 'blog', params: {} }, locale)
    ? store.listNewest('blog', locale, {}, 3, 0)
    : []
  const posts = cardsOf(
    context,
    newest.filter((entry) => entry.locale === locale),
  )
  return {
    solutions: titlesOf(orderedCards(context, 'solutions').slice(0, maxHomeSolutions)),
    features: orderedCards(context, 'features'),
    industries: titlesOf(orderedCards(context, 'industries')),
    posts,
    comparisons: comparisonLinks(context),
  }
}

/** Comparisons by the products' names in the menus. */
function comparisonLinks({ store, locale }: LoadContext): PageData['home']['comparisons'] {
  // Cast: the store fills the texts of a language up with those of its fallbacks.
  const { alternatives } = store.texts(locale, 'menus') as Resources['menus']
  return alternativeIds.flatMap((id) => {
    const page = switchLocale({ route: 'alternative', params: { id } }, locale)
    return page ? [{ href: href(locale, page.route, page.params), product: alternatives[id] }] : []
  })
}

/** Pages of the route table that are listed on the links page, with their names in the menus. */
function pageCards({ store, locale }: LoadContext): Card[] {
  const menus = store.texts(locale, 'menus')
  return nav.links.flatMap(({ key, page: { route, params } }): Card[] => {
    const isOffered = switchLocale({ route, params }, locale)?.route === route
    const title = menus[key]
    return isOffered && typeof title === 'string'
      ? [{ id: route, href: href(locale, route, params), title }]
      : []
  })
}

export const loadLinks = (context: LoadContext): PageData['links'] => ({
  groups: [
    { key: 'pages', items: [...pageCards(context), ...titlesOf(orderedCards(context, 'pages'))] },
    { key: 'features', items: titlesOf(orderedCards(context, 'features')) },
    { key: 'solutions', items: titlesOf(orderedCards(context, 'solutions')) },
    { key: 'industries', items: titlesOf(orderedCards(context, 'industries')) },
    { key: 'alternatives', items: titlesOf(orderedCards(context, 'alternatives')) },
    { key: 'docs', items: sidebarOf(context, 'docs').flatMap(({ items }) => items) },
  ],
})

export const loadPartners = (context: LoadContext): PageData['partners'] => ({
  items: orderedCards(context, 'partner'),
})
