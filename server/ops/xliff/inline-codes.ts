/**
 * Parts of a text that a translator must keep: placeholders, code, tags, addresses and the marks of
 * Markdown. `code` is one part; `open` and `close` enclose words, as a link does.
 */
export type Code = { code: string }
export type Pair = { open: string; inner: Token[]; close: string }
export type Token = string | Code | Pair

export const isPair = (token: Token): token is Pair => typeof token === 'object' && 'open' in token

/** Longer words of a link are not searched for its end, so that time stays linear. */
const maxLabelLength = 1000
const address = /https?:\/\/[^\s<>()[\]"'`|]+/y
const tag = /<\/?[a-z][a-z0-9]{0,20}\s?\/?>|<https?:[^<>\s]{1,2000}>/iy
const anchor = /\{#[^{}\s]{1,200}\}/y
const footnote = /\[\^[\w-]{1,100}\]:?/y
/** What begins a line of Markdown: headings, tasks, alerts, admonitions, tabs. */
const lineMark = /#{1,6} |[-*+] \[[ xX]\] |> \[!\w{1,20}\]|:::\w{0,20} ?|== /y

function matchAt(pattern: RegExp, text: string, index: number): string | null {
  pattern.lastIndex = index
  return pattern.exec(text)?.[0] ?? null
}

/** Code between equal runs of backticks. */
function codeSpanAt(text: string, index: number): string | null {
  const [ticks = ''] = /^`+/.exec(text.slice(index, index + 20)) ?? []
  for (let from = index + ticks.length; ;) {
    const end = text.indexOf(ticks, from)
    if (end < 0) return null
    let after = end + ticks.length
    if (text[after] !== '`') return text.slice(index, after)
    while (text[after] === '`') after += 1
    from = after
  }
}

function placeholderAt(text: string, index: number): string | null {
  if (!text.startsWith('{{', index)) return null
  const end = text.indexOf('}}', index)
  return end < 0 || end - index > maxLabelLength ? null : text.slice(index, end + 2)
}

function addressAt(text: string, index: number): string | null {
  const found = matchAt(address, text, index)
  return found === null ? null : found.replace(/[.,;:!?]{1,10}$/, '')
}

/** The end of a link's words: the index of its `]`, which is followed by `(`. */
function labelEnd(text: string, start: number): number | null {
  let depth = 0
  for (let index = start; index < Math.min(text.length, start + maxLabelLength); index += 1) {
    if (text[index] === '[') depth += 1
    else if (text[index] === ']') {
      if (depth === 0) return text[index + 1] === '(' ? index : null
      depth -= 1
    }
  }
  return null
}

/** `[words](target)` or `![words](target 'caption')`; the words of a caption can be translated. */
function linkAt(text: string, index: number): { pair: Pair; rest: string; length: number } | null {
  const open = text.startsWith('![', index) ? '![' : text[index] === '[' ? '[' : null
  const end = open === null ? null : labelEnd(text, index + open.length)
  if (open === null || end === null) return null
  const [target = ''] = /^\]\([^()\s]{0,2000}/.exec(text.slice(end, end + 2010)) ?? []
  const title = /^\s(["'])(?!=)/.exec(text.slice(end + target.length, end + target.length + 3))
  const close = title ? target + title[0] : closeOf(text, end)
  if (close === null) return null
  const pair = { open, inner: tokenize(text.slice(index + open.length, end)), close }
  if (!title) return { pair, rest: '', length: end + close.length - index }
  const quote = title[1] ?? ''
  const from = end + close.length
  const stop = text.indexOf(`${quote})`, from)
  if (stop < 0 || stop - from > maxLabelLength) return null
  return { pair, rest: text.slice(from, stop), length: stop - index }
}

function closeOf(text: string, end: number): string | null {
  const stop = text.indexOf(')', end)
  return stop < 0 || stop - end > 2 * maxLabelLength ? null : text.slice(end, stop + 1)
}

const codeFinders: Readonly<Record<string, (text: string, index: number) => string | null>> = {
  '`': codeSpanAt,
  '{': (text, index) => placeholderAt(text, index) ?? matchAt(anchor, text, index),
  '<': (text, index) => matchAt(tag, text, index),
  h: addressAt,
}

/** Splits a text. Joined again with `toText`, the tokens are the text. */
export function tokenize(text: string, isMarkdown = false): Token[] {
  const tokens: Token[] = []
  let plainFrom = 0
  const add = (index: number, length: number, found: readonly Token[]): number => {
    if (index > plainFrom) tokens.push(text.slice(plainFrom, index))
    tokens.push(...found)
    plainFrom = index + length
    return plainFrom
  }
  for (let index = 0; index < text.length;) {
    const mark =
      isMarkdown && (index === 0 || text[index - 1] === '\n')
        ? matchAt(lineMark, text, index)
        : null
    const code = mark ?? codeFinders[text[index] ?? '']?.(text, index) ?? null
    if (code) {
      index = add(index, code.length, [{ code }])
      continue
    }
    const note = text[index] === '[' ? matchAt(footnote, text, index) : null
    if (note) {
      index = add(index, note.length, [{ code: note }])
      continue
    }
    const link = linkAt(text, index)
    if (!link) index += 1
    else if (link.rest === '') index = add(index, link.length, [link.pair])
    else {
      // The quotation mark and bracket after the caption.
      const end = text.slice(index + link.length, index + link.length + 2)
      index = add(index, link.length + 2, [link.pair, ...tokenize(link.rest), { code: end }])
    }
  }
  if (plainFrom < text.length) tokens.push(text.slice(plainFrom))
  return tokens
}

export const toText = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => {
      if (typeof token === 'string') return token
      return isPair(token) ? token.open + toText(token.inner) + token.close : token.code
    })
    .join('')

/** All codes in their order. A pair counts as one. */
export const codesOf = (tokens: readonly Token[]): string[] =>
  tokens.flatMap((token) => {
    if (typeof token === 'string') return []
    return isPair(token) ? [`${token.open}…${token.close}`, ...codesOf(token.inner)] : [token.code]
  })
