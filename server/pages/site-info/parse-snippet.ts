import { createHash } from 'node:crypto'

/** A script of the operator's statistics snippets: external, or inline, which the site serves. */
type SnippetScript = { src: string } | { text: string; hash: string }
/** A picture, or a frame, that counts a visit. */
export type SnippetPixel = { element: 'img' | 'iframe'; src: string; inNoscript: boolean }
export type Snippet = {
  scripts: SnippetScript[]
  /** Tags that prove to a search engine or a network who owns the site. */
  verification: Array<{ attribute: 'name' | 'property'; name: string; content: string }>
  pixels: SnippetPixel[]
  /** What is left out, in words for the operator. */
  leftOut: string[]
}

/** A tag at `lastIndex`; of an end tag the name begins with `/`. */
const tag = /<(\/?[a-z][\w-]*)((?:[\s/](?:[^<>"']|"[^"]*"|'[^']*')*)?)>/iy
/** Elements whose content is text for a browser that runs scripts. */
const textElements = new Set(['script', 'style', 'noscript', 'iframe', 'textarea', 'title'])
const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/g
const runnable = /^(?:$|module$|(?:text|application)\/(?:java|ecma)script$)/i
/** Names of verification tags: google-site-verification, msvalidate.01, p:domain_verify, … */
const verificationName = /verif|validat|^seznam-wmt$/i

const characters: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
}
const decode = (value: string): string =>
  value.replace(/&(amp|lt|gt|quot|apos|#39);/g, (text, name: string) => characters[name] ?? text)

type Attributes = ReadonlyMap<string, string>
const parseAttributes = (text: string): Attributes =>
  new Map(
    Array.from(
      text.matchAll(attribute),
      ([, name = '', double, single, bare]) =>
        [name.toLowerCase(), decode(double ?? single ?? bare ?? '')] as const,
    ),
  )

/** An http or https URL; null for anything else. Without a scheme it is https. */
function webAddress(source: string): URL | null {
  const absolute = source.startsWith('//') ? `https:${source}` : source
  const url = URL.canParse(absolute) ? new URL(absolute) : null
  return url && /^https?:$/.test(url.protocol) ? url : null
}

function addScript(snippet: Snippet, attributes: Attributes, text: string): void {
  const type = attributes.get('type') ?? ''
  const src = attributes.get('src')
  const url = webAddress(src ?? '')
  if (!runnable.test(type)) snippet.leftOut.push(`<script type="${type}">`)
  else if (url) snippet.scripts.push({ src: url.href })
  else if (src !== undefined) snippet.leftOut.push('<script>: its src is no web address')
  else if (text.trim())
    snippet.scripts.push({
      text,
      hash: createHash('sha256').update(text).digest('hex').slice(0, 32),
    })
}

/** Other tags, `http-equiv` above all, could redirect a page or take it out of search engines. */
function addMeta(snippet: Snippet, attributes: Attributes): void {
  const key = attributes.has('name') ? 'name' : 'property'
  const name = attributes.get(key) ?? ''
  const content = attributes.get('content') ?? ''
  if (!attributes.has('http-equiv') && content && verificationName.test(name)) {
    snippet.verification.push({ attribute: key, name, content })
    return
  }
  const shown = [...attributes].filter(([attributeName]) => attributeName !== 'content')
  const tag = ['<meta', ...shown.map(([attributeName, value]) => `${attributeName}="${value}"`)]
  snippet.leftOut.push(`${tag.join(' ')}>: not a verification tag`)
}

function addPixel(
  snippet: Snippet,
  element: SnippetPixel['element'],
  attributes: Attributes,
  inNoscript: boolean,
): void {
  const url = webAddress(attributes.get('src') ?? '')
  if (!url) snippet.leftOut.push(`<${element}>: its src is no web address`)
  else if (url.protocol !== 'https:')
    snippet.leftOut.push(`<${element}> of ${url.origin}: not https`)
  else if (element === 'iframe' && !inNoscript)
    snippet.leftOut.push(`<iframe> of ${url.origin}: not in <noscript>`)
  else snippet.pixels.push({ element, src: url.href, inNoscript })
}

type Token = { name: string; attributes: string; text: string; isClosed: boolean }

/** Start tags with the text of those that hold text; text between tags has the name `#text`. */
function* tokens(html: string): Generator<Token> {
  // Only ASCII, so that positions stay the same.
  const lowerCase = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  let position = 0
  const skipTo = (index: number, endLength: number): void => {
    position = index < 0 ? html.length : index + endLength
  }
  while (position < html.length) {
    const start = html.indexOf('<', position)
    const text = html.slice(position, start < 0 ? undefined : start)
    if (text.trim()) yield { name: '#text', attributes: '', text, isClosed: true }
    skipTo(start, 0)
    if (html.startsWith('<!--', position)) {
      skipTo(html.indexOf('-->', position), 3)
      continue
    }
    tag.lastIndex = position
    const [whole = '<', rawName = '', attributes = ''] = tag.exec(html) ?? []
    const name = rawName.toLowerCase()
    position += whole.length
    const end = textElements.has(name) ? lowerCase.indexOf(`</${name}`, position) : -1
    if (name && !name.startsWith('/'))
      yield {
        name,
        attributes,
        text: html.slice(position, Math.max(end, position)),
        isClosed: end >= 0,
      }
    if (end >= 0) position = end
  }
}

/**
 * Reads an operator's HTML (spec 7.10). Nothing of it reaches a page unparsed: scripts,
 * verification tags and pixels are recognized, everything else is left out and named.
 */
export function parseSnippet(html: string): Snippet {
  const snippet: Snippet = { scripts: [], verification: [], pixels: [], leftOut: [] }
  addParts(snippet, html, false)
  return snippet
}

function addParts(snippet: Snippet, html: string, inNoscript: boolean): void {
  for (const { name, attributes: rawAttributes, text, isClosed } of tokens(html)) {
    const attributes = parseAttributes(rawAttributes)
    if (name === '#text') snippet.leftOut.push('text')
    else if (name === 'noscript') addParts(snippet, text, true)
    else if (name === 'img' || name === 'iframe') addPixel(snippet, name, attributes, inNoscript)
    else if (name === 'script' && isClosed && !inNoscript) addScript(snippet, attributes, text)
    else if (name === 'meta' && !inNoscript) addMeta(snippet, attributes)
    else snippet.leftOut.push(`<${name}>`)
  }
}
