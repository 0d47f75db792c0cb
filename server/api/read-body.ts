import type { IncomingMessage } from 'node:http'
import getRawBody from 'raw-body'
import { limits } from '../../shared/constants'
import { SiteError } from '../errors'
import { tryParseJson } from './parse-json'

type Fields = Readonly<Record<string, unknown>>
type BodyKind = 'form' | 'json'
const contentTypes: Readonly<Record<BodyKind, string>> = {
  form: 'application/x-www-form-urlencoded',
  json: 'application/json',
}

/**
 * Reads the fields of a form or of a JSON object. Throws 415 for another content type, charset or
 * encoding, 413 above `maxBytes` (64 KiB), and 400 for a malformed or incomplete body. `text/plain`
 * is refused because a form on another site can send it without a CORS preflight.
 */
export async function readBody(
  request: IncomingMessage,
  kind: BodyKind,
  maxBytes: number = limits.maxBodyBytes,
): Promise<Fields> {
  if (!isSupportedType(request, kind)) throw new SiteError('unsupportedType')
  const text = await readText(request, maxBytes)
  return kind === 'form' ? parseFields(new URLSearchParams(text)) : parseJsonObject(text)
}

/**
 * The fields of a query or a form. A repeated field is refused, because two parsers may pick
 * different values.
 */
export function parseFields(parameters: URLSearchParams): Fields {
  const fields = new Map<string, string>()
  for (const [name, value] of parameters) {
    if (fields.has(name))
      throw new SiteError('badRequest', `${name.slice(0, limits.maxNameLength)}: given twice`)
    fields.set(name, value)
  }
  return Object.fromEntries(fields)
}

function isSupportedType({ headers }: IncomingMessage, kind: BodyKind): boolean {
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '')
  return (
    type === contentTypes[kind] &&
    (charset === undefined || /^utf-?8$/.test(charset)) &&
    (headers['content-encoding'] ?? 'identity') === 'identity'
  )
}

/**
 * Reads a request body to its end. Throws 413 above `maxBytes` (64 KiB), and 400 when the client
 * disconnects before the end.
 */
export function readBytes(
  request: IncomingMessage,
  maxBytes: number = limits.maxBodyBytes,
): Promise<Buffer> {
  return getRawBody(request, {
    length: request.headers['content-length'] ?? null,
    limit: maxBytes,
  }).catch((error: unknown) => {
    throw toBodyError(error)
  })
}

async function readText(request: IncomingMessage, maxBytes: number): Promise<string> {
  const bytes = await readBytes(request, maxBytes)
  try {
    // raw-body's own decoder would replace invalid bytes instead of failing.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new SiteError('badRequest', 'the body is not UTF-8')
  }
}

/** raw-body names each failure in `type`; every type but these two means that the client left. */
function toBodyError(error: unknown): unknown {
  const type = error instanceof Error && 'type' in error ? error.type : undefined
  if (type === 'stream.encoding.set') return error
  // The connection closes, because the unread rest must not be parsed as the next request.
  if (type === 'entity.too.large')
    return new SiteError('bodyTooLarge', undefined, { Connection: 'close' })
  return new SiteError('badRequest', 'the body ended early')
}

function parseJsonObject(text: string): Fields {
  const value = tryParseJson(text)
  if (!isObject(value))
    throw new SiteError(
      'badRequest',
      `the body is not a JSON object, or is nested deeper than ${limits.maxJsonDepth}`,
    )
  return value
}

const isObject = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
