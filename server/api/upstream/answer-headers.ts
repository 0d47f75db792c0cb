import { isIP } from 'node:net'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HostName } from '../../../shared/i18n/locales'
import type { Hosts } from '../../url/hosts'
import { passLocationOn } from '../../url/redirect'

/** What a visitor sees of an upstream's headers. A list of what is good, for what betrays a server has no end of names. */
const passed = [
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

export type UpstreamPlace = {
  /** `API_UPSTREAM`. */ url: URL
  /** Its path without a trailing slash. */ base: string
}
export const upstreamPlace = (address: string): UpstreamPlace => ({
  url: new URL(address),
  base: new URL(address).pathname.replace(/\/+$/, ''),
})

/** A path of the upstream as this site's: below its base, below `/api`. Null outside of its base. */
function ownPath(path: string, { base }: UpstreamPlace): string | null {
  return path === base || path.startsWith(`${base}/`) ? `/api${path.slice(base.length)}` : null
}

/** A name that can only mean a machine of the operator's own network. */
const isInternal = (host: string): boolean =>
  isIP(host.replace(/^\[|\]$/g, '')) !== 0 ||
  !host.includes('.') ||
  /\.(?:internal|local|localhost|lan|home|corp|test|invalid)\.?$/i.test(host)

/**
 * Where an upstream's `Location` leads a visitor: an address of its own becomes the same one below `/api`, one of a public site stays.
 * Null for what would send a visitor into the operator's network, or tell of it.
 */
export function visitorLocation(
  location: string,
  asked: string,
  place: UpstreamPlace,
  origins: Hosts['origins'],
): string | null {
  const from = new URL(place.url.origin + place.base + asked)
  if (!URL.canParse(location, from)) return null
  const to = new URL(location, from)
  if (!/^https?:$/.test(to.protocol) || to.username || to.password) return null
  if (to.origin === place.url.origin) {
    const path = ownPath(to.pathname, place)
    return path === null ? null : path + to.search + to.hash
  }
  return Object.values(origins).includes(to.origin) || !isInternal(to.hostname) ? to.href : null
}

/** A cookie of the upstream as one of this site: of this host (or COOKIE_DOMAIN), `Secure` on https, its path below `/api`. */
export function visitorCookie(
  cookie: string,
  place: UpstreamPlace,
  { domain, secure }: { domain: string; secure: boolean },
): string {
  const [pair = '', ...attributes] = cookie.split(';').map((part) => part.trim())
  const kept = attributes
    .filter((part) => part && !/^domain\s*=/i.test(part))
    .map((part) => {
      const path = /^path\s*=\s*(.*)$/i.exec(part)?.[1]
      return path === undefined ? part : `Path=${(place.base && ownPath(path, place)) || path}`
    })
  const has = (name: RegExp): boolean => kept.some((part) => name.test(part))
  return [
    pair,
    ...kept,
    ...(domain && !pair.startsWith('__Host-') ? [`Domain=${domain}`] : []),
    ...(secure && !has(/^secure$/i) ? ['Secure'] : []),
    ...(has(/^samesite\s*=/i) ? [] : ['SameSite=Lax']),
  ].join('; ')
}

export type AnswerContext = {
  place: UpstreamPlace
  hosts: Hosts
  host: HostName
  /** COOKIE_DOMAIN. */ cookieDomain: string
  /** Path that was asked of the upstream, below its base. */ asked: string
}

/** Copies what may be seen. False when the answer cannot be passed on: it redirects to where no visitor can go. */
export function copyHeaders(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { place, hosts, host, cookieDomain, asked }: AnswerContext,
): boolean {
  if (headers.location !== undefined) {
    const location = visitorLocation(headers.location, asked, place, hosts.origins)
    if (location === null) return false
    passLocationOn(response, location)
  }
  for (const name of passed) {
    const value = headers[name]
    if (value !== undefined) response.setHeader(name, value)
  }
  const cookies = headers['set-cookie']?.map((cookie) =>
    visitorCookie(cookie, place, { domain: cookieDomain, secure: hosts.secure(host) }),
  )
  if (cookies) response.setHeader('Set-Cookie', cookies)
  response.setHeader(
    'Cache-Control',
    cookies ? 'private, no-store' : (headers['cache-control'] ?? 'no-store'),
  )
  // Whatever an upstream sends, it is no page of this site.
  response.setHeader(
    'Content-Security-Policy',
    "default-src 'none'; frame-ancestors 'none'; sandbox",
  )
  return true
}
