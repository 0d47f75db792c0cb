import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'

/** `location`, `type` and `robots` are the headers Location, Content-Type and X-Robots-Tag. */
export type FetchedPage = {
  status: number
  location: string | undefined
  type: string
  robots: string
  body: string
}

const timeoutMs = 15_000

/**
 * Names below `localhost` are this machine, even if the system's resolver does not know them
 * (RFC 6761 6.3).
 */
const addressOf = (hostname: string): string =>
  hostname === 'localhost' || hostname.endsWith('.localhost') ? '127.0.0.1' : hostname

/**
 * Requests a page without following redirects. Waits and tries again when the site has refused it
 * because of a rate limit. Rejects without an answer within 15 s.
 */
export async function fetchPage(address: string): Promise<FetchedPage> {
  for (;;) {
    const { retryAfterSeconds, ...page } = await sendGet(address)
    if (page.status !== 429) return page
    await sleep(retryAfterSeconds * 1000)
  }
}

function sendGet(address: string): Promise<FetchedPage & { retryAfterSeconds: number }> {
  const url = new URL(address)
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  const options = {
    host: addressOf(url.hostname),
    servername: url.hostname,
    port: url.port || undefined,
    path: url.pathname + url.search,
    timeout: timeoutMs,
    headers: {
      host: url.host,
      'accept-encoding': 'gzip',
      'user-agent': 'site-crawl (a bot of the site itself)',
    },
  }
  return new Promise((resolve, reject) => {
    const request = send(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const { headers } = response
        const body = headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
        resolve({
          status: response.statusCode ?? 0,
          location: headers.location,
          type: headers['content-type'] ?? '',
          robots: String(headers['x-robots-tag'] ?? ''),
          body: body.toString('utf8'),
          retryAfterSeconds: Number(headers['retry-after'] ?? 1),
        })
      })
    })
    request.on('timeout', () => request.destroy(new Error(`no answer within ${timeoutMs} ms`)))
    request.on('error', reject)
    request.end()
  })
}
