import { useState, type HTMLAttributes } from 'react'

/**
 * HTML from the server: compiled Markdown, islands and menus. At hydration React keeps the server's
 * markup, whatever `html` is; that of Markdown and islands is then empty, so that the page does not
 * carry the text twice. React writes `innerHTML` again for each new object, so the object is kept
 * in the state: otherwise the first re-render would empty the page.
 */
export function ServerHtml({
  html,
  ...rest
}: { html: string } & Omit<HTMLAttributes<HTMLDivElement>, 'children'>) {
  const [markup, setMarkup] = useState({ __html: html })
  if (markup.__html !== html) setMarkup({ __html: html })
  return <div {...rest} dangerouslySetInnerHTML={markup} suppressHydrationWarning />
}
