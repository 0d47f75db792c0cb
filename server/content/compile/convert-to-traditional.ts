import { createRequire } from 'node:module'
import type * as OpenCC from 'opencc-js/cn2t'
import { taiwanTerms } from './taiwan-terms'

/** Converts plain text: every Chinese word in it. Other letters are left. */
type Convert = (text: string) => string

let converter: Convert | undefined

/** Not bundled, so that a process which converts nothing starts without the dictionary. */
const requireUnbundled = createRequire(__filename)

function loadConverter(): Convert {
  // `require` knows no types.
  const { Converter, CustomConverter } = requireUnbundled('opencc-js/cn2t') as typeof OpenCC
  const toTaiwan = Converter({ from: 'cn', to: 'twp' })
  const toTerms = CustomConverter(taiwanTerms)
  return (text) => toTerms(toTaiwan(text)).replaceAll('“', '「').replaceAll('”', '」')
}

/**
 * Converts Simplified Chinese to the characters, words and quotation marks of Taiwan. The
 * dictionary takes 0.2 s to load, so it is loaded with the first text.
 */
export const convertText: Convert = (text) => {
  converter ??= loadConverter()
  return converter(text)
}

/** Converts the text between the protected parts, which are left as they are. */
function convertAround(text: string, protectedPart: RegExp, convert: Convert): string {
  let result = ''
  let end = 0
  for (const { 0: part, index } of text.matchAll(protectedPart)) {
    result += convert(text.slice(end, index)) + part
    end = index + part.length
  }
  return result + convert(text.slice(end))
}

/** The HTML is that of our compiler, so `<` and `>` are escaped everywhere else. */
const tagPattern = /<[^<>]*>/g
/** Attributes that are read to visitors. Others are addresses, ids and names. */
const spokenAttribute = / (alt|title|aria-label)="([^"]*)"/g

const convertTag = (tag: string, convert: Convert): string =>
  tag.replace(spokenAttribute, (_all, name: string, value: string) => {
    return ` ${name}="${convert(value)}"`
  })

/** Converts the text of compiled HTML. Code, ids and addresses are left. */
export function convertHtml(html: string, convert: Convert = convertText): string {
  let result = ''
  let end = 0
  let codeDepth = 0
  const convertUnlessCode = (text: string): string => (codeDepth > 0 ? text : convert(text))
  for (const { 0: tag, index } of html.matchAll(tagPattern)) {
    result += convertUnlessCode(html.slice(end, index)) + convertTag(tag, convert)
    if (/^<(?:pre|code)\b/.test(tag)) codeDepth += 1
    else if (/^<\/(?:pre|code)>/.test(tag)) codeDepth -= 1
    end = index + tag.length
  }
  return result + convertUnlessCode(html.slice(end))
}

/** Code in a line, the target of a link, a tag. */
const inlineCode = /`[^`]+`|\]\([^()]*\)|<[^<>]+>/g
/** An address, an explicit anchor. Lint takes a hundred times longer to decide both as one. */
const address = /https?:\/\/[^\s)]+|\{#[^{}]*\}/g
const fencePattern = /^\s{0,12}(```+|~~~+)/

/** Converts Markdown. Code, targets of links, tags and anchors are left. */
export function convertMarkdown(markdown: string, convert: Convert = convertText): string {
  let fence: string | null = null
  const convertLine = (line: string): string => {
    const found = fencePattern.exec(line)?.[1]
    if (fence === null) {
      fence = found ?? null
      return found
        ? line
        : convertAround(line, inlineCode, (text) => convertAround(text, address, convert))
    }
    if (found?.startsWith(fence)) fence = null
    return line
  }
  return markdown.split('\n').map(convertLine).join('\n')
}

/** Fields of front matter that name something outside of the text. */
const namingFields: ReadonlySet<string> = new Set(['url', 'website', 'source', 'cover', 'author'])

/** Converts all strings of front matter except addresses. Ids have no Chinese letters. */
export function convertFields(value: unknown, convert: Convert = convertText): unknown {
  if (typeof value === 'string') return convert(value)
  if (Array.isArray(value)) return value.map((item) => convertFields(item, convert))
  if (value && typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        namingFields.has(key) && typeof item === 'string' ? item : convertFields(item, convert),
      ]),
    )
  return value
}
