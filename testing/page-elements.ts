type PageElement = {
  tag: string
  attributes: Readonly<Record<string, string>>
  /** Inside of a text that authors wrote. */
  inProse: boolean
}

const voidTags: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta source track wbr path use'.split(' '),
)
const unescape = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&amp;', '&')

/** The elements in the body of a page that the site has rendered, in order. */
export function pageElements(html: string): PageElement[] {
  const elements: PageElement[] = []
  /** Open elements inside of the outermost `.prose`; 0 outside of it. */
  let proseDepth = 0
  const body = html.slice(html.indexOf('<body'), html.indexOf('<script type="application/json"'))
  for (const [, slash, name = '', rest = ''] of body.matchAll(
    /<(\/?)([a-zA-Z][\w-]*)((?:"[^"]*"|[^>"])*)>/g,
  )) {
    const tag = name.toLowerCase()
    const isVoid = voidTags.has(tag) || rest.endsWith('/')
    if (slash === '/') {
      if (proseDepth > 0 && !voidTags.has(tag)) proseDepth -= 1
      continue
    }
    const attributes = Object.fromEntries(
      Array.from(rest.matchAll(/([\w-]+)(?:="([^"]*)")?/g), ([, key = '', value = '']) => [
        key.toLowerCase(),
        unescape(value),
      ]),
    )
    elements.push({ tag, attributes, inProse: proseDepth > 0 })
    const isProse = /(?:^| )prose(?: |$)/.test(attributes['class'] ?? '')
    if (!isVoid && (proseDepth > 0 || isProse)) proseDepth += 1
  }
  if (proseDepth > 0) throw new Error('a text has elements that are not closed')
  return elements
}
