import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { imageLimits } from '../../shared/constants'
import { SiteError } from '../errors'
import { isPublicAddress } from './public-address'

export type Address = { address: string; family: number }
export type FetchRemoteOptions = {
  /** `IMAGE_HOSTS`: host names, with a port where it is not 80 or 443. */
  hosts: readonly string[]
  /** Addresses of a name. */
  resolve?: (name: string) => Promise<readonly Address[]>
  /** Whether an address may be connected to; tests, whose remote host is on this machine, bring their own. */
  allows?: (address: string) => boolean
  timeout?: number
}

const standardPorts: readonly string[] = ['', '80', '443']

/** Refuses whatever the operator has not listed: by name and port, so also every spelling of an address. */
function checkHost(url: URL, hosts: readonly string[]): void {
  const listed =
    hosts.includes(url.host) || (standardPorts.includes(url.port) && hosts.includes(url.hostname))
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '' || !listed)
    throw new SiteError('imageHostRefused')
}

/**
 * Downloads a picture from a listed host. The name is resolved once, all its addresses are checked, and the connection
 * goes to the one that was checked: a DNS answer that changes afterwards changes nothing. Every redirect goes through
 * the same checks. Throws a SiteError: 403 for what is not allowed, 404, 413 above 20 MB, 502 or 504.
 */
export function createRemoteFetch({
  hosts,
  resolve = (name) => lookup(name, { all: true }),
  allows = isPublicAddress,
  timeout = imageLimits.fetchTimeout,
}: FetchRemoteOptions): (url: URL) => Promise<Buffer> {
  async function checkedAddress(hostname: string): Promise<Address> {
    const literal = hostname.replace(/^\[|\]$/g, '')
    const family = isIP(literal)
    const addresses = family ? [{ address: literal, family }] : await resolve(literal)
    // One private address among public ones is an attack or a mistake: both are refused.
    if (addresses.some(({ address }) => !allows(address))) throw new SiteError('imageHostRefused')
    const [first] = addresses
    if (!first) throw new SiteError('imageUnavailable')
    return first
  }

  async function hop(url: URL, signal: AbortSignal): Promise<Buffer | URL> {
    checkHost(url, hosts)
    const { address, family } = await checkedAddress(url.hostname)
    const pinned: LookupFunction = (_name, options, done) =>
      options.all ? done(null, [{ address, family }]) : done(null, address, family)
    const { Agent, request } = await import('undici')
    const agent = new Agent({
      connect: { lookup: pinned, timeout: imageLimits.connectTimeout },
      pipelining: 0,
    })
    try {
      const { statusCode, headers, body } = await request(url, {
        dispatcher: agent,
        signal,
        headers: { accept: 'image/avif,image/webp,image/*', 'accept-encoding': 'identity' },
      })
      if ([301, 302, 303, 307, 308].includes(statusCode)) {
        const target = headers['location']
        if (typeof target !== 'string' || !URL.canParse(target, url))
          throw new SiteError('imageUnavailable')
        return new URL(target, url)
      }
      if (statusCode === 404 || statusCode === 410) throw new SiteError('notFound')
      if (statusCode !== 200) throw new SiteError('imageUnavailable')
      // Asked for as it is: compressed bytes could unpack to any size.
      if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity')
        throw new SiteError('notAnImage')
      if (Number(headers['content-length'] ?? 0) > imageLimits.sourceBytes)
        throw new SiteError('imageTooLarge')
      return await readBounded(body)
    } finally {
      // Also ends a body that nobody reads: a redirect's or an error's.
      void agent.destroy()
    }
  }

  return async function fetchRemote(start) {
    const signal = AbortSignal.timeout(timeout)
    try {
      let url = start
      for (let count = 0; count <= imageLimits.redirects; count += 1) {
        const answer = await hop(url, signal)
        if (Buffer.isBuffer(answer)) return answer
        url = answer
      }
    } catch (error) {
      if (error instanceof SiteError) throw error
      throw new SiteError(
        signal.aborted || (error as NodeJS.ErrnoException).code === 'UND_ERR_CONNECT_TIMEOUT'
          ? 'imageTimedOut'
          : 'imageUnavailable',
      )
    }
    throw new SiteError('imageUnavailable')
  }
}

async function readBounded(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > imageLimits.sourceBytes) throw new SiteError('imageTooLarge')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
