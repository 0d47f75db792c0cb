import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { gunzipSync } from 'node:zlib'

export type Fetched = {
  status: number
  location: string | undefined
  type: string
  robots: string
  body: string
}

const timeout = 15_000

/** Names below `localhost` are this machine, also where the system's resolver does not know them (RFC 6761 6.3). */
const addressOf = (hostname: string): string =>
  hostname === 'localhost' || hostname.endsWith('.localhost') ? '127.0.0.1' : hostname

/** One GET without following redirects. Rejects when there is no answer within 15 s. */
export function fetchPage(address: string): Promise<Fetched> {
  const url = new URL(address)
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const sent = send(
      {
        host: addressOf(url.hostname),
        servername: url.hostname,
        port: url.port || undefined,
        path: url.pathname + url.search,
        timeout,
        headers: {
          host: url.host,
          'accept-encoding': 'gzip',
          'user-agent': 'site-crawl (a bot of the site itself)',
        },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const bytes = Buffer.concat(chunks)
          const { headers } = response
          resolve({
            status: response.statusCode ?? 0,
            location: headers.location,
            type: headers['content-type'] ?? '',
            robots: String(headers['x-robots-tag'] ?? ''),
            body: (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString(
              'utf8',
            ),
          })
        })
      },
    )
    sent.on('timeout', () => sent.destroy(new Error('no answer in time')))
    sent.on('error', reject)
    sent.end()
  })
}
