import type { LocaleCode } from '../../shared/i18n/locales'
import type { Origins } from '../../shared/routes/href'
import type { ContentFacts } from './content-facts'
import type { Hosts } from './hosts'
import { createRedirectTable, type RedirectTable } from './redirect-table'

/** What URL rules depend on besides the URL: a snapshot, so that `canonicalize` stays pure. */
export type UrlContext = {
  origins: Origins
  redirects: RedirectTable
  /** First document in the sidebar of a language. */
  firstDoc: (locale: LocaleCode) => string | null
  isSolution: (id: string) => boolean
  /** Whether site.yaml enables the pre-sales page. */
  preSales: boolean
}

/** Returns the current snapshot. It is replaced when content changes, never during a request. */
export function createUrlContext(store: ContentFacts, hosts: Hosts): () => UrlContext {
  let redirects: RedirectTable | null = null
  let current: UrlContext | null = null
  const createSnapshot = (): UrlContext => ({
    origins: hosts.origins,
    redirects: (redirects ??= createRedirectTable(store.redirects())),
    firstDoc: (locale) => store.listOrdered('docs', locale)[0]?.id ?? null,
    isSolution: (id) => store.localesOf('solutions', id).length > 0,
    preSales: store.siteConfig().pre_sales,
  })
  store.onChange((tags) => {
    current = null
    if (tags.includes('redirects')) redirects = null
  })
  return () => (current ??= createSnapshot())
}
