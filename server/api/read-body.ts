import type { IncomingMessage } from 'node:http'
import { limits } from '../../shared/constants'
import { SiteError } from '../errors'

type Fields = Readonly<Record<string, unknown>>
const contentTypes = {
  form: 'application/x-www-form-urlencoded',
  json: 'application/json',
} as const

/**
 * The fields of a form or of a JSON object. Another content type, charset or encoding is 415: `text/plain` is what a form of another
 * site may send without asking. Too large is 413, anything malformed 400.
 */
export async function readBody(request: IncomingMessage, kind: 'form' | 'json'): Promise<Fields> {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '')
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (
    type !== contentTypes[kind] ||
    (charset !== undefined && !/^utf-?8$/.test(charset)) ||
    encoding !== 'identity'
  )
    throw new SiteError('unsupportedType')
  const text = await readText(request)
  return kind === 'form' ? fieldsOf(new URLSearchParams(text)) : parseJson(text)
}

/** Query or form as fields; a field given twice is refused, so that no two readers take different ones. */
export function fieldsOf(parameters: URLSearchParams): Fields {
  const fields = new Map<string, string>()
  for (const [name, value] of parameters) {
    if (fields.has(name))
      throw new SiteError('badRequest', `${name.slice(0, limits.nameLength)}: given twice`)
    fields.set(name, value)
  }
  return Object.fromEntries(fields)
}

async function readText(request: IncomingMessage): Promise<string> {
  // The rest of a body that is not read must not be taken for the next request.
  const tooLarge = (): SiteError =>
    new SiteError('bodyTooLarge', undefined, { Connection: 'close' })
  if (Number(request.headers['content-length'] ?? 0) > limits.bodyBytes) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  await new Promise<void>((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limits.bodyBytes) return void chunks.push(chunk)
      request.pause()
      reject(tooLarge())
    })
    request.once('end', resolve)
    request.once('close', () => {
      if (!request.complete) reject(new SiteError('badRequest', 'the body ended early'))
    })
  })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw new SiteError('badRequest', 'the body is not UTF-8')
  }
}

function parseJson(text: string): Fields {
  if (jsonDepth(text) > limits.jsonDepth)
    throw new SiteError('badRequest', `nested deeper than ${limits.jsonDepth}`)
  const value = tryJson(text)
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new SiteError('badRequest', 'the body is no JSON object')
  // The one cast: an object that is no array has string keys.
  return value as Fields
}

/** A JSON text as a value; undefined where it is malformed or nested deeper than the limit. */
export function tryJson(text: string): unknown {
  if (jsonDepth(text) > limits.jsonDepth) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** How deep brackets nest outside strings. Found before parsing: 49,000 brackets parse well and overflow the stack of whatever walks them. */
export function jsonDepth(text: string): number {
  let depth = 0
  let deepest = 0
  for (let index = 0; index < text.length; index += 1) {
    const letter = text[index]
    if (letter === '"') index = endOfString(text, index)
    else if (letter === '[' || letter === '{') deepest = Math.max(deepest, (depth += 1))
    else if (letter === ']' || letter === '}') depth -= 1
  }
  return deepest
}

/** Where a string that begins at `start` has its closing quote; the end of the text where it has none. */
function endOfString(text: string, start: number): number {
  for (
    let quote = text.indexOf('"', start + 1);
    quote !== -1;
    quote = text.indexOf('"', quote + 1)
  ) {
    let first = quote
    while (text[first - 1] === '\\') first -= 1
    // An odd number of backslashes before it: the quote is part of the string.
    if ((quote - first) % 2 === 0) return quote
  }
  return text.length
}
