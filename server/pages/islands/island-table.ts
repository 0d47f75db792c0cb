/**
 * Every island: what it may be asked for, which texts it shows and where its data comes from. Its component stands in
 * `client/islands/`. Props name things and never bring content: whoever asks can make us show only what the site has.
 */
import { z } from 'zod'
import type { Namespace } from '../../../shared/i18n/namespaces'
import type { IslandName } from '../../../shared/islands'
import { redirectFor } from '../../../shared/routes/availability'
import { releaseItems } from '../loaders/articles'
import { cards, type ShowContext } from '../loaders/context'
import { comparison } from '../loaders/landings'
import { relatedTag } from '../../content/related-terms'
import { filledSnippet } from './snippets'
import { isSnippet, type SnippetHtml } from '../../../shared/snippets'

/** Null: the props name nothing, 404. A promise: it comes late, and the page around it is sent first. */
type Row<P> = {
  props: z.ZodType<P>
  texts: readonly Namespace[]
  load: (context: IslandContext, props: P) => unknown
}
export type IslandContext = ShowContext & { snippets: SnippetHtml }

const row = <P>(definition: Row<P>): Row<P> => definition
const relatedCount = 3
const articleRoutes = {
  blog: 'blog-article',
  news: 'news-article',
  guide: 'guide-article',
  helps: 'help-article',
  docs: 'doc',
} as const

export const islandTable = {
  /** Articles that belong to one by tags and text. */
  RelatedArticles: row({
    props: z.strictObject({
      collection: z.enum(['blog', 'news', 'guide', 'helps', 'docs']),
      id: z.string(),
    }),
    texts: ['article'],
    load(context, { collection, id }) {
      const { store, locale, tags } = context
      if (
        redirectFor({ route: articleRoutes[collection], params: { id } }, locale) ||
        !store.entry(collection, id, locale)
      )
        return null
      tags.add(`${collection}/${id}`)
      tags.add(relatedTag(collection))
      return { items: cards(context, store.related(collection, id, locale, relatedCount)) }
    },
  }),
  /** Ours and another product, row by row. */
  ComparisonTable: row({
    props: z.strictObject({ id: z.string() }),
    texts: ['landing'],
    load: (context, { id }) =>
      redirectFor({ route: 'alternative', params: { id } }, context.locale)
        ? null
        : comparison(context, id),
  }),
  /** One page of the release list. */
  ReleaseList: row({
    props: z.strictObject({ page: z.string().regex(/^[1-9]\d{0,8}$/) }),
    texts: ['lists'],
    load: (context, { page }) => releaseItems(context, Number(page)),
  }),
  /** A command or example of the site's own, highlighted. */
  HighlightedCode: row({
    props: z.strictObject({ snippet: z.string() }),
    texts: [],
    load: (context, props) =>
      isSnippet(props.snippet) ? filledSnippet(context, context.snippets, props.snippet) : null,
  }),
} as const satisfies Record<IslandName, unknown>

/** The row of an island, its props checked by its schema where it stands; the table's own type pairs them. */
export const islandRow = (name: IslandName): Row<unknown> => islandTable[name] as Row<unknown>
