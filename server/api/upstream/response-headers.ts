import { isIP } from 'node:net'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HostName } from '../../../shared/i18n/locales'
import type { Hosts } from '../../url/hosts'
import { forwardLocation } from '../../url/redirect'
import type { UpstreamTarget } from './upstream-client'

/**
 * Headers of an upstream's response that visitors may see. An allowlist, because the headers that
 * reveal something about a server cannot be enumerated.
 */
const forwardedHeaders = [
  'content-type',
  'content-language',
  'content-disposition',
  'content-range',
  'accept-ranges',
  'content-encoding',
  'expires',
  'etag',
  'last-modified',
  'vary',
  'retry-after',
  'allow',
] as const

export type HeaderContext = {
  target: UpstreamTarget
  hosts: Hosts
  /** The language host of the request. */
  host: HostName
  /** COOKIE_DOMAIN. */
  cookieDomain: string
  /** The requested path, below the upstream's base path. */
  path: string
}

/**
 * Copies the headers that visitors may see. Returns false when the response must not be forwarded,
 * because it redirects to an address that visitors cannot reach.
 */
export function copyResponseHeaders(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { target, hosts, host, cookieDomain, path }: HeaderContext,
): boolean {
  if (headers.location !== undefined) {
    const location = toVisitorLocation(headers.location, path, target, hosts.origins)
    if (location === null) return false
    forwardLocation(response, location)
  }
  for (const name of forwardedHeaders) {
    const value = headers[name]
    if (value !== undefined) response.setHeader(name, value)
  }
  const cookies = headers['set-cookie']?.map((cookie) =>
    toVisitorCookie(cookie, target, { domain: cookieDomain, secure: hosts.isSecure(host) }),
  )
  if (cookies) response.setHeader('Set-Cookie', cookies)
  response.setHeader(
    'Cache-Control',
    cookies ? 'private, no-store' : (headers['cache-control'] ?? 'no-store'),
  )
  // An HTML response of the upstream must not run as a page of this site.
  response.setHeader(
    'Content-Security-Policy',
    "default-src 'none'; frame-ancestors 'none'; sandbox",
  )
  return true
}

/**
 * Rewrites an upstream's `Location` for visitors: an address below the upstream's base path becomes
 * the same one below `/api`, and an address of a public site is kept. Returns null for addresses
 * that lead into the operator's network or reveal it.
 */
function toVisitorLocation(
  location: string,
  requestPath: string,
  target: UpstreamTarget,
  siteOrigins: Hosts['origins'],
): string | null {
  const base = new URL(target.url.origin + target.basePath + requestPath)
  if (!URL.canParse(location, base)) return null
  const destination = new URL(location, base)
  if (!/^https?:$/.test(destination.protocol) || destination.username || destination.password)
    return null
  if (destination.origin === target.url.origin) {
    const path = toSitePath(destination.pathname, target)
    return path === null ? null : path + destination.search + destination.hash
  }
  const isReachable =
    Object.values(siteOrigins).includes(destination.origin) || !isInternal(destination.hostname)
  return isReachable ? destination.href : null
}

/**
 * An upstream's path as a path of this site, or null when it is outside the upstream's base path.
 */
function toSitePath(path: string, { basePath }: UpstreamTarget): string | null {
  return path === basePath || path.startsWith(`${basePath}/`)
    ? `/api${path.slice(basePath.length)}`
    : null
}

/** Whether a host name or address can only belong to the operator's own network. */
const isInternal = (host: string): boolean =>
  isIP(host.replace(/^\[|\]$/g, '')) !== 0 ||
  !host.includes('.') ||
  /\.(?:internal|local|localhost|lan|home|corp|test|invalid)\.?$/i.test(host)

/**
 * Rewrites an upstream's cookie for this site: its domain is this host or COOKIE_DOMAIN, its path
 * is below `/api`, and it is `Secure` on https.
 */
function toVisitorCookie(
  cookie: string,
  target: UpstreamTarget,
  { domain, secure }: { domain: string; secure: boolean },
): string {
  const [pair = '', ...attributes] = cookie.split(';').map((part) => part.trim())
  const rewritten = attributes
    .filter((attribute) => attribute && !/^domain\s*=/i.test(attribute))
    .map((attribute) => {
      const path = /^path\s*=(.*)$/is.exec(attribute)?.[1]?.trim()
      if (path === undefined) return attribute
      return `Path=${(target.basePath && toSitePath(path, target)) || path}`
    })
  const has = (name: RegExp): boolean => rewritten.some((attribute) => name.test(attribute))
  return [
    pair,
    ...rewritten,
    ...(domain && !pair.startsWith('__Host-') ? [`Domain=${domain}`] : []),
    ...(secure && !has(/^secure$/i) ? ['Secure'] : []),
    ...(has(/^samesite\s*=/i) ? [] : ['SameSite=Lax']),
  ].join('; ')
}
