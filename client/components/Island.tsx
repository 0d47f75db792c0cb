import { Suspense, use } from 'react'
import type { IslandUse } from '../../shared/islands'
import type { IslandHtml } from '../../shared/view'
import { useScope } from '../view-context'
import { Html } from './Html'
import { Placeholder } from './pictures/Placeholder'

/**
 * A fragment that only the server can render; its code never reaches the browser. It may be late: then the rest of the
 * page is shown first. At hydration the server's markup stays as it is; on a later page it comes with the payload.
 */
export function Island(island: IslandUse) {
  const { island: source } = useScope()
  return (
    <Suspense
      fallback={
        <div data-island={island.name} aria-busy="true">
          <Placeholder />
        </div>
      }
    >
      <Ready name={island.name} html={source ? source(island) : ''} />
    </Suspense>
  )
}

function Ready({ name, html }: { name: IslandUse['name']; html: IslandHtml }) {
  return <Html data-island={name} html={typeof html === 'string' ? html : use(html)} />
}
