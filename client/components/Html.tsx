import type { HTMLAttributes } from 'react'

/**
 * HTML made on the server (compiled Markdown, islands). In the browser `html` is empty at hydration, so that the page
 * does not carry it twice; React leaves the server's markup alone.
 */
export function Html({ html, ...rest }: { html: string } & Omit<HTMLAttributes<HTMLDivElement>, 'children'>) {
  return <div {...rest} dangerouslySetInnerHTML={{ __html: html }} suppressHydrationWarning />
}
