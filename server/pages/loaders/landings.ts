import type { Collection } from '../../../shared/content'
import type { Card, Comparison, Landing, PageData } from '../../../shared/page-data'
import { industryOf, switchLocale } from '../../../shared/routes/availability'
import { href } from '../../../shared/routes/href'
import { plainPages } from '../../../shared/routes/plain-pages'
import type { FullEntry } from '../../content/store/entry'
import { ownPage, sections } from './articles'
import { card, cards, orderedCards, type LoadContext, type ShowContext } from './context'
import { finishHtml } from '../../url/localize-links'

type LandingCollection = 'solutions' | 'alternatives' | 'features' | 'industries'

function landingOf(context: LoadContext, entry: FullEntry<LandingCollection>): Landing {
  const { front } = entry
  context.tags.add(`${entry.collection}/${entry.id}`)
  return {
    collection: entry.collection,
    id: entry.id,
    title: front.title,
    description: front.description,
    lead: front.lead,
    benefits: front.benefits,
    steps: front.steps,
    questions: front.questions,
    html: finishHtml(entry.html, context),
    ...(front.icon ? { icon: front.icon } : {}),
    ...('comparison' in front
      ? { product: front.product, comparison: context.island('ComparisonTable', { id: entry.id }) }
      : {}),
    ...(entry.locale === context.locale ? {} : { foreign: entry.locale }),
  }
}

/** The table of a comparison page; null where there is no such page. */
export function comparison({ store, locale, tags }: ShowContext, id: string): Comparison | null {
  const entry = store.entry('alternatives', id, locale)
  if (!entry) return null
  tags.add(`alternatives/${id}`)
  const rows = entry.front.comparison.map(({ feature, ours, theirs }) => ({
    feature,
    ours,
    ...(theirs ? { theirs } : {}),
  }))
  return {
    product: entry.front.product,
    rows,
    ...(entry.locale === locale ? {} : { foreign: entry.locale }),
  }
}

/** Pages that front matter names as related, without those that the language does not offer. */
function related(context: LoadContext, entry: FullEntry<LandingCollection>): Card[] {
  return (entry.front.related ?? []).flatMap((id) => {
    const found = context.store.entry(entry.collection, id, context.locale)
    return (
      (found &&
        card(
          context,
          found,
          'icon' in found.front && found.front.icon ? { icon: found.front.icon } : {},
        )) ??
      []
    )
  })
}

export function landing(
  context: LoadContext,
  collection: LandingCollection,
  id = context.params['id'] ?? '',
): PageData['landing'] | null {
  const entry = context.store.entry(collection, id, context.locale)
  return entry && { landing: landingOf(context, entry), related: related(context, entry) }
}

/** `/{html}`: a feature, an industry or a page of the authors' own; anything else is no page. */
export function single(context: LoadContext): PageData['single'] | null {
  const slug = context.params['html'] ?? ''
  const found =
    landing(context, 'features', slug) ?? landing(context, 'industries', industryOf(slug) ?? '')
  if (found) return { kind: 'landing', ...found }
  const article = ownPage(context)
  return article && { kind: 'text', article }
}

export function home(context: LoadContext): PageData['home'] {
  const { store, locale, tags } = context
  tags.add('blog')
  // Russian has no blog; elsewhere a first page shows posts in its own language or none.
  const newest = switchLocale({ route: 'blog', params: {} }, locale)
    ? store.newest('blog', locale, {}, 3, 0)
    : []
  const posts = cards(
    context,
    newest.filter((entry) => entry.locale === locale),
  )
  return {
    solutions: orderedCards(context, 'solutions'),
    features: orderedCards(context, 'features'),
    industries: orderedCards(context, 'industries'),
    posts,
  }
}

export function links(context: LoadContext): PageData['links'] {
  const { store, locale } = context
  const names = store.texts(locale, 'shell')
  const pages = plainPages
    .filter(({ unlisted }) => !unlisted)
    .flatMap(({ route, key }): Card[] => {
      const page = { route, params: {} }
      const same = switchLocale(page, locale)
      const title = names[`NAVBAR_${key}`]
      return same?.route === route && typeof title === 'string'
        ? [{ id: route, href: href(locale, route), title, description: '' }]
        : []
    })
  const groups: Array<[PageData['links']['groups'][number]['key'], readonly Card[]]> = [
    ['pages', [...pages, ...orderedCards(context, 'pages')]],
    ...(
      [
        'features',
        'solutions',
        'industries',
        'alternatives',
      ] as const satisfies readonly Collection[]
    ).map((collection): [typeof collection, Card[]] => [
      collection,
      orderedCards(context, collection),
    ]),
    ['docs', sections(context, 'docs').flatMap((section) => section.items)],
  ]
  return { groups: groups.map(([key, items]) => ({ key, items })) }
}

export function partners(context: LoadContext): PageData['partners'] {
  return { items: orderedCards(context, 'partner') }
}
