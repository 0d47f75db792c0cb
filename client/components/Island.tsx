import { Suspense, use } from 'react'
import type { IslandName, IslandProps } from '../../shared/islands'
import type { IslandHtml } from '../../shared/view'
import { useScope } from '../view-context'
import { Html } from './Html'
import { Placeholder } from './Placeholder'

/**
 * A fragment that only the server can render; its code never reaches the browser. It may be late: then the rest of the
 * page is sent first. At hydration the server's markup stays as it is.
 */
export function Island({ name, props }: { name: IslandName; props: IslandProps }) {
  const { island } = useScope()
  return (
    <Suspense fallback={<div data-island={name} aria-busy="true"><Placeholder /></div>}>
      <Ready name={name} html={island ? island(name, props) : ''} />
    </Suspense>
  )
}

function Ready({ name, html }: { name: IslandName; html: IslandHtml }) {
  return <Html data-island={name} html={typeof html === 'string' ? html : use(html)} />
}
