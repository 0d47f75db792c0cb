import type { ReactNode } from 'react'

/** A highlighted note with the styles of Markdown admonitions. */
export function Callout({ children }: { children: ReactNode }) {
  return (
    <div className="admonition admonition-note">
      <p>{children}</p>
    </div>
  )
}
