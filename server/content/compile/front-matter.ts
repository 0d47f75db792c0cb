import { isMap, isNode, LineCounter, parseDocument, type Document } from 'yaml'
import type { z } from 'zod'

/** A file that is left out or incomplete, for its author: where and why. `line` is 1-based. */
export type Problem = { file: string; line: number; reason: string }
export type Parsed<T> =
  { ok: true; value: T; body: string } | { ok: false; problems: Array<Omit<Problem, 'file'>> }

/** Line of the node at a path of a YAML document, or of its nearest parent that exists. */
function lineOf(document: Document, lines: LineCounter, path: ReadonlyArray<PropertyKey>): number {
  for (let length = path.length; length > 0; length -= 1) {
    const keys = path.slice(0, length)
    const field = String(keys.at(-1))
    const parent = length === 1 ? document.contents : document.getIn(keys.slice(0, -1), true)
    const pair = isMap(parent) ? parent.items.find((item) => String(item.key) === field) : undefined
    const node = pair?.key ?? document.getIn(keys, true)
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
  }
  return 1
}

/**
 * The value of a YAML document, or the reason why it has none: an alias names no anchor, or there
 * are too many aliases. Aliases of aliases can make a small file expand to gigabytes, so the
 * library limits them.
 */
function toValue(document: Document): { value: unknown } | { reason: string } {
  try {
    return { value: document.toJS() }
  } catch (error) {
    if (error instanceof ReferenceError) return { reason: error.message }
    throw error
  }
}

/**
 * Parses YAML and checks it with a schema. Every reason names the field and what is accepted.
 * `lineOffset` is the number of lines before the YAML in its file.
 */
export function parseYaml<T>(source: string, schema: z.ZodType<T>, lineOffset = 0): Parsed<T> {
  const lines = new LineCounter()
  const document = parseDocument(source, { lineCounter: lines, schema: 'core' })
  if (document.errors.length > 0) {
    return {
      ok: false,
      problems: document.errors.map((error) => ({
        line: lines.linePos(error.pos[0]).line + lineOffset,
        reason: error.message.split('\n')[0]?.replace(/ at line \d.*/s, '') ?? 'invalid YAML',
      })),
    }
  }
  const read = toValue(document)
  if ('reason' in read)
    return { ok: false, problems: [{ line: 1 + lineOffset, reason: read.reason }] }
  const result = schema.safeParse(read.value ?? {})
  if (result.success) return { ok: true, value: result.data, body: '' }
  const problems = result.error.issues.map((issue) => {
    const unknownField = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined
    const path = unknownField ? [...issue.path, unknownField] : issue.path
    return {
      line: lineOf(document, lines, path) + lineOffset,
      reason:
        path.length > 0
          ? `${path.join('.')}: ${unknownField ? 'no such field' : issue.message}`
          : issue.message,
    }
  })
  return { ok: false, problems }
}

/**
 * Splits a Markdown file into the YAML between two lines of `---` and the text after them, or says
 * why it cannot be split.
 */
export function splitFrontMatter(
  source: string,
): { yaml: string; body: string } | { reason: string } {
  const text = source.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  if (!text.startsWith('---\n'))
    return { reason: 'front matter is missing: the file must begin with a line of ---' }
  const end = text.indexOf('\n---', 3)
  const afterEnd = text.indexOf('\n', end + 1)
  if (end < 0 || text.slice(end + 4, afterEnd < 0 ? undefined : afterEnd).trim() !== '')
    return { reason: 'front matter is not closed by a line of ---' }
  return {
    yaml: text.slice(4, end + 1),
    body: afterEnd < 0 ? '' : text.slice(afterEnd + 1),
  }
}

/** Parses a Markdown file with front matter. */
export function parseFrontMatter<T>(source: string, schema: z.ZodType<T>): Parsed<T> {
  const split = splitFrontMatter(source)
  if ('reason' in split) return { ok: false, problems: [{ line: 1, reason: split.reason }] }
  const parsed = parseYaml(split.yaml, schema, 1)
  return parsed.ok ? { ...parsed, body: split.body } : parsed
}
