import type { ContentFacts } from './content-facts'
import { createRedirectTable, type RedirectTable } from './redirect-table'
import type { World } from './canonicalize'
import type { Hosts } from './hosts'

/** The snapshot that canonical URLs are decided by: made anew when content has changed, never while a request is under way. */
export function createWorld(store: ContentFacts, hosts: Hosts): () => World {
  let table: RedirectTable | null = null
  const make = (): World => ({
    origins: hosts.origins,
    redirects: (table ??= createRedirectTable(store.redirects())),
    firstDoc: (locale) => store.ordered('docs', locale)[0]?.id ?? null,
    isSolution: (id) => store.localesOf('solutions', id).length > 0,
    preSales: store.site().pre_sales,
  })
  let current: World | null = null
  store.onChange((tags) => {
    current = null
    if (tags.includes('redirects')) table = null
  })
  return () => (current ??= make())
}
