import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import type { Dispatcher } from 'undici'
import { imageLimits } from '../../shared/constants'
import { errorCode, SiteError } from '../errors'
import { isPublicAddress } from './public-address'

export type Address = { address: string; family: number }
export type FetchRemoteOptions = {
  /** `IMAGE_HOSTS`: host names, with a port unless it is 80 or 443. */
  allowedHosts: readonly string[]
  /** Resolves a host name to its addresses. */
  resolve?: (name: string) => Promise<readonly Address[]>
  /**
   * Whether an address may be connected to. Tests replace it, because their host is this machine.
   */
  isAllowedAddress?: (address: string) => boolean
  timeoutMs?: number
}

const standardPorts: readonly string[] = ['', '80', '443']
const redirectStatuses: readonly number[] = [301, 302, 303, 307, 308]

/** Refuses every host and port that the operator has not listed, however its address is spelled. */
function checkHost(url: URL, allowedHosts: readonly string[]): void {
  const isListed =
    allowedHosts.includes(url.host) ||
    (standardPorts.includes(url.port) && allowedHosts.includes(url.hostname))
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '' || !isListed)
    throw new SiteError('imageHostRefused')
}

/** Resolves a host name. All of its addresses must be allowed; the first one is returned. */
async function resolveAllowedAddress(
  hostname: string,
  { resolve, isAllowedAddress }: Required<Pick<FetchRemoteOptions, 'resolve' | 'isAllowedAddress'>>,
): Promise<Address> {
  const name = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(name)
  const addresses = family ? [{ address: name, family }] : await resolve(name)
  // A private address among public ones is an attack or a mistake.
  if (addresses.some(({ address }) => !isAllowedAddress(address)))
    throw new SiteError('imageHostRefused')
  const [first] = addresses
  if (!first) throw new SiteError('imageUnavailable')
  return first
}

function redirectTarget(location: string | string[] | undefined, base: URL): URL {
  if (typeof location !== 'string') throw new SiteError('imageUnavailable')
  return new URL(location, base)
}

/** Collects a body. Stops reading beyond 20 MB, whatever `Content-Length` says. */
async function readBody(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > imageLimits.maxSourceBytes) throw new SiteError('imageTooLarge')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The bytes of a response, or the URL that it redirects to. */
async function readResponse(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  url: URL,
): Promise<Buffer | URL> {
  if (redirectStatuses.includes(statusCode)) return redirectTarget(headers['location'], url)
  if (statusCode === 404 || statusCode === 410) throw new SiteError('notFound')
  if (statusCode !== 200) throw new SiteError('imageUnavailable')
  // The request asked for no compression: compressed bytes could expand to any size.
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity')
    throw new SiteError('notAnImage')
  if (Number(headers['content-length'] ?? 0) > imageLimits.maxSourceBytes)
    throw new SiteError('imageTooLarge')
  return readBody(body)
}

/** Sends one request to an address that was already checked, without another DNS lookup. */
async function requestFrom(
  { address, family }: Address,
  url: URL,
  signal: AbortSignal,
): Promise<Buffer | URL> {
  const pinnedLookup: LookupFunction = (_name, options, done) =>
    options.all ? done(null, [{ address, family }]) : done(null, address, family)
  const { Agent, request } = await import('undici')
  const agent = new Agent({
    connect: { lookup: pinnedLookup, timeout: imageLimits.connectTimeoutMs },
    pipelining: 0,
  })
  try {
    const response = await request(url, {
      dispatcher: agent,
      signal,
      headers: { accept: 'image/avif,image/webp,image/*', 'accept-encoding': 'identity' },
    })
    return await readResponse(response, url)
  } finally {
    // Also ends a body that was not read, for example that of a redirect.
    void agent.destroy()
  }
}

/**
 * Returns a function that downloads an image from a listed host. The host name is resolved once,
 * all its addresses are checked, and the connection goes to the checked address, so that a DNS
 * answer that changes afterwards (DNS rebinding) has no effect. Redirects pass the same checks.
 * The function throws a SiteError: 403 if not allowed, 404, 413 above 20 MB, 415, 502 or 504.
 */
export function createRemoteFetch({
  allowedHosts,
  resolve = (name) => lookup(name, { all: true }),
  isAllowedAddress = isPublicAddress,
  timeoutMs = imageLimits.fetchTimeoutMs,
}: FetchRemoteOptions): (url: URL) => Promise<Buffer> {
  return async function fetchRemote(start) {
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      let url = start
      for (let redirects = 0; redirects <= imageLimits.maxRedirects; redirects += 1) {
        checkHost(url, allowedHosts)
        const address = await resolveAllowedAddress(url.hostname, { resolve, isAllowedAddress })
        const result = await requestFrom(address, url, signal)
        if (Buffer.isBuffer(result)) return result
        url = result
      }
    } catch (error) {
      if (error instanceof SiteError) throw error
      const isTimeout = signal.aborted || errorCode(error) === 'UND_ERR_CONNECT_TIMEOUT'
      throw new SiteError(isTimeout ? 'imageTimedOut' : 'imageUnavailable')
    }
    throw new SiteError('imageUnavailable')
  }
}
