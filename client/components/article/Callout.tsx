import type { ReactNode } from 'react'

export type CalloutKind = 'note' | 'tip' | 'important' | 'warning' | 'caution'

/** A highlighted note with the styles of Markdown admonitions. */
export function Callout({
  kind = 'note',
  title,
  children,
}: {
  kind?: CalloutKind
  title?: string
  children: ReactNode
}) {
  return (
    <div className={`admonition admonition-${kind}`}>
      {title && <p className="admonition-title">{title}</p>}
      <p>{children}</p>
    </div>
  )
}
