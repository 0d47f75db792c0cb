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
import { foreignOf } from '../loaders/foreign'
import { comparisonOf, findLanding, landingCollections } from '../loaders/landings'
import { downloadFiles, listFiles, newestRelease, releaseItems } from '../loaders/releases'
import type { BackendFiles, IslandLoader, SimilarPages } from '../page-services'
import { fillSnippet } from './fill-snippet'

/** Where islands have their data from, besides the content. */
type IslandSources = {
  store: ContentStore
  snippets: SnippetHtml
  similarPages: SimilarPages
  /** Null without a backend: the files of the content are offered. */
  readBackendFiles: (() => Promise<BackendFiles>) | null
}
type IslandContext = ContentContext & IslandSources

type IslandRow<P> = {
  /** Props name what is shown, and contain no content: a client must not choose the content. */
  props: z.ZodType<P>
  texts: readonly Namespace[]
  /**
   * It has no URL and is not found there: with words of a visitor as props, each request could add
   * another entry to the page cache.
   */
  pageOnly?: true
  /**
   * Loads the data for the component in `client/islands/`. Null: the props name nothing. A promise
   * is streamed after the rest of the page.
   */
  load: (context: IslandContext, props: P) => unknown
}

const landingProps = z.strictObject({ collection: z.enum(landingCollections), id: z.string() })

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
  /** The picture of a landing page. */
  LandingHeroPicture: row({
    props: landingProps,
    texts: [],
    load(context, { collection, id }) {
      const entry = findLanding(context, collection, id)
      return entry?.front.picture
        ? { picture: entry.front.picture, ...foreignOf(context, entry) }
        : null
    },
  }),
  /** The sections of a landing page. */
  LandingBody: row({
    props: landingProps,
    texts: ['landing'],
    load(context, { collection, id }) {
      const entry = findLanding(context, collection, id)
      return entry?.front.sections
        ? { sections: entry.front.sections, ...foreignOf(context, entry) }
        : null
    },
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
  /** The files of the newest client; late while the operator's backend is slow. */
  DownloadFiles: row({
    props: z.strictObject({}),
    texts: ['download'],
    load(context) {
      const own = newestRelease(context)?.front.files ?? []
      const files = context.readBackendFiles?.()
      return files
        ? files.then((theirs) => listFiles(context, downloadFiles(own, theirs)))
        : listFiles(context, own)
    },
  }),
  /** Pages that the path of a missing page may have meant; late while they are searched. */
  SimilarPages: row({
    pageOnly: true,
    props: z.strictObject({ words: z.string() }),
    texts: ['errors'],
    load: ({ similarPages, locale }, { words }) => similarPages(words, locale),
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
  (sources: IslandSources): IslandLoader =>
  (name, props, locale, tags) => {
    const { load, props: schema } = islandRow(name)
    return load({ ...sources, locale, tags }, schema.parse(props))
  }
