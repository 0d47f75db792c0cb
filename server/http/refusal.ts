import { failure, type SiteError } from '../errors'
import { securityHeaders } from '../cache/security-headers'
import { isPayloadTarget } from '../url/payload-target'

/** Where machines ask: failures there are JSON, elsewhere a page (decisions 10). */
const jsonPaths = /^\/(?:api|_image|__nuxt_island|_ops|builds)(?:\/|$)/

export type Refusal = { status: number; headers: Readonly<Record<string, string>>; body: string }

/** A failure as it is answered at a path: its public message, never a stack, a path of the machine or a library's name; stored by nobody. */
export function refusalOf(error: SiteError, path: string): Refusal {
  const json = jsonPaths.test(path) || isPayloadTarget(path)
  const body = json
    ? JSON.stringify(failure(error))
    : `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${error.status}</title></head><body><h1>${error.message}</h1></body></html>\n`
  return {
    status: error.status,
    headers: {
      ...securityHeaders(false),
      'Content-Type': json ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      ...error.headers,
    },
    body,
  }
}
