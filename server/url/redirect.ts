import { escapeHtml } from '../../shared/escape-html'
import type { ServerResponse } from 'node:http'
import type { Origins } from '../../shared/routes/href'

export type Redirect = { location: string; status: 301 | 302 | 307 | 308; external: boolean }

/** A permanent redirect is kept for an hour, so that a mistake in the table passes. */
export const redirectCaching = (status: Redirect['status']): string =>
  status === 301 || status === 308 ? 'public, max-age=3600' : 'no-store'

/**
 * A redirect as it is sent. The only place that writes `Location`: the target is an absolute address on one of the
 * configured origins, or comes from the redirect table (`external`). Anything else is a mistake of ours and throws: no
 * visitor can be sent elsewhere.
 */
export function redirectAnswer(
  { location, status, external }: Redirect,
  origins: Origins,
): { status: Redirect['status']; headers: Record<string, string>; body: Buffer } {
  const own = Object.values(origins).some(
    (origin) => location === origin || location.startsWith(`${origin}/`),
  )
  if (!own && !(external && /^https?:\/\/[^/\\]/i.test(location)))
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

/** Sends a redirect; `headers` come besides those that it has. */
export function redirect(
  response: ServerResponse,
  to: Redirect,
  origins: Origins,
  headers: Readonly<Record<string, string>> = {},
): void {
  const { status, headers: own, body } = redirectAnswer(to, origins)
  response.writeHead(status, { ...own, 'Content-Length': body.length, ...headers })
  response.end(response.req.method === 'HEAD' ? undefined : body)
}

/** A `Location` of the operator's backend, already made one of this site or of a public one (`server/api/upstream/answer-headers.ts`). */
export function passLocationOn(response: ServerResponse, location: string): void {
  if (!/^(?:\/(?![/\\])|https?:\/\/[^/\\])/.test(location))
    throw new Error('refused to pass on a malformed location')
  response.setHeader('Location', location)
}
