import type { IncomingMessage, ServerResponse } from 'node:http'
import { encodings, type Encoding, type StoredPage } from './page-cache'

/** The best encoding that a client accepts (RFC 9110 12.5.3); `q=0` refuses one. */
export function negotiateEncoding(accept: string | undefined): Encoding {
  if (!accept) return 'identity'
  const weights = new Map<string, number>()
  for (const part of accept.split(',')) {
    const [name = '', ...parameters] = part.trim().toLowerCase().split(';')
    const q = parameters.map((parameter) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(parameter)?.[1]).find((value) => value !== undefined)
    weights.set(name.trim(), q === undefined ? 1 : Number(q))
  }
  const weight = (encoding: Encoding): number => weights.get(encoding) ?? (encoding === 'identity' ? 0.001 : weights.get('*') ?? 0)
  // Of equal weights the first of the list wins: Brotli, gzip, as it is.
  const best = encodings.reduce((chosen, encoding) => (weight(encoding) > weight(chosen) ? encoding : chosen))
  return weight(best) > 0 ? best : 'identity'
}

const tagOf = (page: StoredPage, encoding: Encoding): string => (encoding === 'identity' ? `"${page.etag}"` : `"${page.etag}-${encoding}"`)

/** Whether `If-None-Match` names this page in any of its forms: the same content, so nothing needs to be sent. */
function matches(header: string, page: StoredPage): boolean {
  return header.trim() === '*' || header.includes(`"${page.etag}"`) || header.includes(`"${page.etag}-`)
}

/** Sends a finished page: 304 when the client has it, else in the best form that is ready. */
export function sendPage(request: IncomingMessage, response: ServerResponse, page: StoredPage, cacheStatus: string): void {
  const wanted = negotiateEncoding(request.headers['accept-encoding'] as string | undefined)
  const form = page.encoded[wanted]
  const encoding: Encoding = form ? wanted : 'identity'
  const body = form ?? page.body
  const headers = { ...page.headers, ...(page.etag ? { ETag: tagOf(page, encoding) } : {}), 'Cache-Status': cacheStatus }
  const condition = request.headers['if-none-match']
  if (page.status === 200 && page.etag && condition && matches(condition, page)) {
    const { 'Content-Type': _type, ...kept } = headers as Record<string, string>
    response.writeHead(304, kept)
    response.end()
    return
  }
  response.writeHead(page.status, { ...headers, 'Content-Length': body.length, ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }) })
  response.end(request.method === 'HEAD' ? undefined : body)
}
