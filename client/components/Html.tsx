import { useState, type HTMLAttributes } from 'react'

/**
 * HTML made on the server (compiled Markdown, islands). In the browser `html` is empty at hydration, so that the page
 * does not carry it twice; React leaves the server's markup alone. React writes the markup anew for each new object,
 * whatever is in it, so the object is kept: else the first re-render would empty the page.
 */
export function Html({
  html,
  ...rest
}: { html: string } & Omit<HTMLAttributes<HTMLDivElement>, 'children'>) {
  const [markup, setMarkup] = useState({ __html: html })
  if (markup.__html !== html) setMarkup({ __html: html })
  return <div {...rest} dangerouslySetInnerHTML={markup} suppressHydrationWarning />
}
