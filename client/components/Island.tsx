import { Suspense, use, useEffect, type ReactNode } from 'react'
import type { IslandUse } from '../../shared/islands'
import type { IslandHtml } from '../../shared/view'
import { useScope } from '../view-context'
import { ServerHtml } from './ServerHtml'
import { Skeleton } from './Skeleton'

type Props = {
  island: IslandUse
  /**
   * Shown until the island is ready. It has the island's size, so that the layout does not shift.
   */
  pending?: ReactNode
  /** Runs in the browser once the island is in the page. */
  onShown?: () => void
}

/**
 * A fragment that only the server renders; its code is never sent to the browser. Hydration keeps
 * the server's markup; after a client-side navigation the markup comes with the payload (spec 6.4).
 */
export function Island({ island, pending = <Skeleton />, onShown }: Props) {
  const { island: source } = useScope()
  return (
    <Suspense
      fallback={
        <div data-island={island.name} aria-busy="true">
          {pending}
        </div>
      }
    >
      <IslandMarkup name={island.name} html={source ? source(island) : ''} onShown={onShown} />
    </Suspense>
  )
}

/** `data-late`: the HTML came as a promise. Pages keep the reserved space. */
function IslandMarkup({
  name,
  html,
  onShown,
}: {
  name: IslandUse['name']
  html: IslandHtml
  onShown: (() => void) | undefined
}) {
  useEffect(() => onShown?.(), [onShown])
  return typeof html === 'string' ? (
    <ServerHtml data-island={name} html={html} />
  ) : (
    <ServerHtml data-island={name} data-late="" html={use(html)} />
  )
}
