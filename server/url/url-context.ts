import type { ContentFacts } from './content-facts'
import { createRedirectTable, type RedirectTable } from './redirect-table'
import type { UrlContext } from './canonicalize'
import type { Hosts } from './hosts'

/** The snapshot that canonical URLs are decided by: made anew when content has changed, never while a request is under way. */
export function createUrlContext(store: ContentFacts, hosts: Hosts): () => UrlContext {
  let table: RedirectTable | null = null
  const make = (): UrlContext => ({
    origins: hosts.origins,
    redirects: (table ??= createRedirectTable(store.redirects())),
    firstDoc: (locale) => store.ordered('docs', locale)[0]?.id ?? null,
    isSolution: (id) => store.localesOf('solutions', id).length > 0,
    preSales: store.site().pre_sales,
  })
  let current: UrlContext | null = null
  store.onChange((tags) => {
    current = null
    if (tags.includes('redirects')) table = null
  })
  return () => (current ??= make())
}
