import type { PageData, PageKind } from '../../../shared/page-data'
import type { Load } from '../../../shared/routes/table'
import { article, articleList, download, release, releases, sections } from './articles'
import { orderedCards, type LoadContext } from './context'
import { home, landing, links, partners, single } from './landings'

type Loader<K extends PageKind> = (
  context: LoadContext,
  load: Extract<Load, { kind: K }>,
) => PageData[K] | null

/** One loader a kind. Null means that the parameters name nothing: 404. Loaders are synchronous: content is one process away. */
const loaders: { [K in PageKind]: Loader<K> } = {
  static: () => null,
  icons: () => null,
  home,
  links,
  download,
  single,
  partners,
  releases,
  release,
  articles: (context, load) => articleList(context, load.collection),
  article: (context, load) => article(context, load.collection),
  sections: (context, load) => {
    const found = sections(context, load.collection)
    return found.length > 0 ? { collection: load.collection, sections: found } : null
  },
  landing: (context, load) => landing(context, load.collection),
  landings: (context, load) => ({ items: orderedCards(context, load.collection) }),
  error: ({ path }, load) => ({ status: load.status, message: '', path }),
}

/** Kinds of pages whose content is all in their texts. */
const withoutData: readonly PageKind[] = ['static', 'icons']

/** Loads what a page is rendered from; `found` is false where its parameters name nothing. */
export function loadPage(
  context: LoadContext,
  load: Load,
): { found: boolean; data: PageData[PageKind] } {
  const loader = loaders[load.kind] as Loader<PageKind>
  const data = loader(context, load)
  return { found: data !== null || withoutData.includes(load.kind), data }
}
