import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'
import type { Settings } from '../env'

/**
 * The policy of answers that are not pages, refusals included: shown as a document, they load and
 * run nothing.
 */
const answerPolicy = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Helmet does not have this header. */
const permissionsPolicy = 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'

type HeaderTable = Readonly<Record<string, string>>

/** Runs helmet once, against a response that only records the headers. */
function recordHeaders(isHttps: boolean): HeaderTable {
  const headers: Record<string, string> = {}
  const setHeaders = helmet({
    // Added below. Pages have their own (`pages/render/content-security-policy.ts`).
    contentSecurityPolicy: false,
    // The identity provider's sign-in prompt opens a window, which must be able to answer to this
    // page.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    strictTransportSecurity: isHttps ? { maxAge: 2 * 365 * 24 * 60 * 60 } : false,
    xFrameOptions: { action: 'deny' },
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xPoweredBy: false,
    xXssProtection: false,
  })
  const response = { setHeader: (name: string, value: string) => (headers[name] = value) }
  // With these options helmet reads nothing of the request, and calls only `setHeader` of the
  // response.
  setHeaders(
    {} as unknown as IncomingMessage,
    response as unknown as ServerResponse,
    () => undefined,
  )
  return Object.freeze({
    'Content-Security-Policy': answerPolicy,
    ...headers,
    'Permissions-Policy': permissionsPolicy,
  })
}

const httpHeaders = recordHeaders(false)
const httpsHeaders = recordHeaders(true)

/**
 * Headers of every answer (spec 8.7); pages and drawings replace the content security policy.
 * `isHttps`: of the language host's origin.
 */
export const securityHeaders = (isHttps: boolean): HeaderTable =>
  isHttps ? httpsHeaders : httpHeaders

/**
 * Security headers, and on staging the one that keeps search engines from indexing anything, files
 * and redirects included.
 */
export const commonHeaders = (
  isHttps: boolean,
  { INDEXING }: Pick<Settings, 'INDEXING'>,
): HeaderTable => ({
  ...securityHeaders(isHttps),
  ...(INDEXING ? {} : { 'X-Robots-Tag': 'noindex' }),
})

/**
 * The policy of SVG drawings, which are documents: opened directly, they run no script and load
 * nothing.
 */
export const drawingPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** Sets that policy when a file is a drawing. */
export function protectDrawing(
  response: { setHeader: (name: string, value: string) => unknown },
  path: string,
): void {
  if (path.toLowerCase().endsWith('.svg'))
    response.setHeader('Content-Security-Policy', drawingPolicy)
}
