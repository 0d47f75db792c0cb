import type { ServerResponse } from 'node:http'
import { escapeHtml } from '../../shared/escape-html'
import type { Origins } from '../../shared/routes/href'
import type { RedirectStatus } from './redirect-table'

export type Redirect = { location: string; status: RedirectStatus; external: boolean }

/** Permanent redirects are cached for an hour only, so that a mistake in the table can be fixed. */
export const redirectCaching = (status: Redirect['status']): string =>
  status === 301 || status === 308 ? 'public, max-age=3600' : 'no-store'

/**
 * The response of a redirect. `Location` is written only in this file: the target must be a URL of
 * a configured origin, or come from the redirect table (`external`). Anything else throws, so that
 * a bug cannot become an open redirect.
 */
export function redirectResponse(
  { location, status, external }: Redirect,
  origins: Origins,
): { status: Redirect['status']; headers: Record<string, string>; body: Buffer } {
  const isOwn = Object.values(origins).some(
    (origin) => location === origin || location.startsWith(`${origin}/`),
  )
  if (!isOwn && !(external && /^https?:\/\/[^/\\]/i.test(location)))
    throw new Error('refused to redirect outside the configured origins')
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': redirectCaching(status),
      Location: location,
    },
    body: Buffer.from(
      `<!doctype html><title>Moved</title><a href="${escapeHtml(location)}">Moved</a>\n`,
    ),
  }
}

/** Sends a redirect with additional headers. */
export function redirect(
  response: ServerResponse,
  to: Redirect,
  origins: Origins,
  headers: Readonly<Record<string, string>> = {},
): void {
  const { status, headers: redirectHeaders, body } = redirectResponse(to, origins)
  response.writeHead(status, { ...redirectHeaders, 'Content-Length': body.length, ...headers })
  // Node leaves the body out for HEAD.
  response.end(body)
}

/**
 * Sends a redirect to a path of the same host, by whatever name the operator reached it: through a
 * tunnel that is an address that no origin names.
 */
export function redirectToPath(
  response: ServerResponse,
  path: string,
  status: 302 | 303,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (!/^\/(?![/\\])/.test(path)) throw new Error('refused to redirect to another host')
  response.writeHead(status, { ...headers, 'Cache-Control': 'no-store', Location: path })
  response.end()
}

/**
 * Writes a `Location` of the operator's backend, which `server/api/upstream/response-headers.ts`
 * has already rewritten to this site or checked to be public.
 */
export function forwardLocation(response: ServerResponse, location: string): void {
  if (!/^(?:\/(?![/\\])|https?:\/\/[^/\\])/.test(location))
    throw new Error('refused to forward a malformed location')
  response.setHeader('Location', location)
}

/**
 * A redirect for the client (spec 6.3): a path where the target is on the requested host, which the
 * router follows; otherwise a URL that must be loaded fully (`external`).
 */
export function toClientRedirect(
  { location, status, external }: Redirect,
  origin: string,
): Redirect {
  const isOnHost = !external && location.startsWith(`${origin}/`)
  return {
    location: isOnHost ? location.slice(origin.length) : location,
    status,
    external: !isOnHost,
  }
}
