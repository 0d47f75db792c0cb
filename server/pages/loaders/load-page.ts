import type { PageData, PageKind } from '../../../shared/page-data'
import type { Load } from '../../../shared/routes/route-row'
import { loadArticle, loadArticleList, loadSections } from './articles'
import { orderedCards } from './cards'
import type { LoadContext } from './context'
import { loadHome, loadLanding, loadLinks, loadPartners, loadSingle } from './landings'
import { loadPlans } from './plans'
import { loadDownload, loadRelease, loadReleases } from './releases'

type Loader<K extends PageKind> = (
  context: LoadContext,
  load: Extract<Load, { kind: K }>,
) => PageData[K] | null

/**
 * One loader for each kind. Null: the parameters name nothing, and the page is not found. Loaders
 * are synchronous, because content is in a local database.
 */
const loaders: { [K in PageKind]: Loader<K> } = {
  static: () => null,
  icons: () => null,
  home: loadHome,
  links: loadLinks,
  download: loadDownload,
  plans: loadPlans,
  single: loadSingle,
  partners: loadPartners,
  releases: loadReleases,
  release: loadRelease,
  articles: (context, load) => loadArticleList(context, load.collection),
  article: (context, load) => loadArticle(context, load.collection),
  sections: (context, load) => loadSections(context, load.collection),
  landing: (context, load) => loadLanding(context, load.collection),
  landings: (context, load) => ({ items: orderedCards(context, load.collection) }),
  error: ({ path }, load) => ({ status: load.status, message: '', path }),
}

/** Kinds of pages whose texts are all in their namespaces. */
const kindsWithoutData: readonly PageKind[] = ['static', 'icons']

/** Loads the data of a page; null where its parameters name nothing. */
export function loadPage(context: LoadContext, load: Load): { data: PageData[PageKind] } | null {
  // TypeScript cannot pair the kind of `load` with its loader.
  const loader = loaders[load.kind] as Loader<PageKind>
  const data = loader(context, load)
  return data !== null || kindsWithoutData.includes(load.kind) ? { data } : null
}
