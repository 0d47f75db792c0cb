import { reservedPathOf } from '../../shared/reserved-paths'
import { securityHeaders } from '../cache/security-headers'
import { failure, type SiteError } from '../errors'
import { isPayloadTarget } from '../url/payload-target'

export type ErrorResponse = {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}

/**
 * The answer to a request that failed: the public message of the error, and never a stack, a path
 * of the machine or the name of a library. No cache may store it.
 */
export function errorResponse(error: SiteError, path: string, isHttps: boolean): ErrorResponse {
  const isJson = reservedPathOf(path)?.failures === 'json' || isPayloadTarget(path)
  const body = isJson
    ? JSON.stringify(failure(error))
    : '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
      `<title>${error.status}</title></head><body><h1>${error.message}</h1></body></html>\n`
  return {
    status: error.status,
    headers: {
      ...securityHeaders(isHttps),
      'Content-Type': isJson ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': 'no-store',
      ...error.headers,
    },
    body,
  }
}
