import { z } from 'zod'
import type { Namespace } from '../../../shared/i18n/namespaces'
import type { IslandName } from '../../../shared/islands'
import { redirectFor } from '../../../shared/routes/availability'
import { routeOfCollection } from '../../../shared/routes/table'
import { isSnippet, type SnippetHtml } from '../../../shared/snippets'
import { relatedTag } from '../../content/store/related'
import type { ContentStore } from '../../content/store/store'
import { cardsOf } from '../loaders/cards'
import type { ContentContext } from '../loaders/context'
import { comparisonOf } from '../loaders/landings'
import { releaseItems } from '../loaders/releases'
import type { IslandLoader } from '../page-services'
import { fillSnippet } from './fill-snippet'

export type IslandContext = ContentContext & { snippets: SnippetHtml }

type IslandRow<P> = {
  /** Props name what is shown, and contain no content: a client must not choose the content. */
  props: z.ZodType<P>
  texts: readonly Namespace[]
  /**
   * Loads the data for the component in `client/islands/`. Null: the props name nothing. A promise
   * is streamed after the rest of the page.
   */
  load: (context: IslandContext, props: P) => unknown
}

const row = <P>(definition: IslandRow<P>): IslandRow<P> => definition
const maxRelated = 3

export const islandTable = {
  /** Articles that are related by tags and text. */
  RelatedArticles: row({
    props: z.strictObject({
      collection: z.enum(['blog', 'news', 'guide', 'helps', 'docs']),
      id: z.string(),
    }),
    texts: ['article'],
    load(context, { collection, id }) {
      const { store, locale, tags } = context
      const page = { route: routeOfCollection[collection], params: { id } }
      if (redirectFor(page, locale) || !store.findEntry(collection, id, locale)) return null
      tags.add(`${collection}/${id}`)
      tags.add(relatedTag(collection))
      return { items: cardsOf(context, store.listRelated(collection, id, locale, maxRelated)) }
    },
  }),
  /** Our product and another one, row by row. */
  ComparisonTable: row({
    props: z.strictObject({ id: z.string() }),
    texts: ['landing'],
    load: (context, { id }) =>
      redirectFor({ route: 'alternative', params: { id } }, context.locale)
        ? null
        : comparisonOf(context, id),
  }),
  /** One page of the release list. */
  ReleaseList: row({
    props: z.strictObject({ page: z.string().regex(/^[1-9]\d{0,8}$/) }),
    texts: ['lists'],
    load: (context, { page }) => releaseItems(context, Number(page)),
  }),
  /** A highlighted command of the interface. */
  HighlightedCode: row({
    props: z.strictObject({ snippet: z.string() }),
    texts: [],
    load: (context, props) =>
      isSnippet(props.snippet) ? fillSnippet(context, context.snippets, props.snippet) : null,
  }),
} as const satisfies Record<IslandName, unknown>

/**
 * The row of an island. The caller must parse props with its schema: TypeScript cannot pair a name
 * with the type of its props.
 */
export const islandRow = (name: IslandName): IslandRow<unknown> =>
  islandTable[name] as IslandRow<unknown>

/** Loads the data of islands. Throws when props do not match the schema of the island. */
export const createIslandLoader =
  (store: ContentStore, snippets: SnippetHtml): IslandLoader =>
  (name, props, locale, tags) => {
    const { load, props: schema } = islandRow(name)
    return load({ store, locale, tags, snippets }, schema.parse(props))
  }
