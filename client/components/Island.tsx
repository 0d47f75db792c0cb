import { Suspense, use } from 'react'
import type { IslandUse } from '../../shared/islands'
import type { IslandHtml } from '../../shared/view'
import { useScope } from '../view-context'
import { ServerHtml } from './ServerHtml'
import { Skeleton } from './Skeleton'

/**
 * A fragment that only the server renders; its code is never sent to the browser. A skeleton is
 * shown until it is ready. Hydration keeps the server's markup; after a client-side navigation the
 * markup comes with the payload (spec 6.4).
 */
export function Island(island: IslandUse) {
  const { island: source } = useScope()
  return (
    <Suspense
      fallback={
        <div data-island={island.name} aria-busy="true">
          <Skeleton />
        </div>
      }
    >
      <IslandMarkup name={island.name} html={source ? source(island) : ''} />
    </Suspense>
  )
}

function IslandMarkup({ name, html }: { name: IslandUse['name']; html: IslandHtml }) {
  return <ServerHtml data-island={name} html={typeof html === 'string' ? html : use(html)} />
}
