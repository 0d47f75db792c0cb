import { useState, type HTMLAttributes } from 'react'

/**
 * HTML from the server: compiled Markdown and islands. At hydration `html` is empty in the browser,
 * so the page does not carry the text twice, and React keeps the server's markup. React writes
 * `innerHTML` again for each new object, so the object is kept in the state: otherwise the first
 * re-render would empty the page.
 */
export function ServerHtml({
  html,
  ...rest
}: { html: string } & Omit<HTMLAttributes<HTMLDivElement>, 'children'>) {
  const [markup, setMarkup] = useState({ __html: html })
  if (markup.__html !== html) setMarkup({ __html: html })
  return <div {...rest} dangerouslySetInnerHTML={markup} suppressHydrationWarning />
}
