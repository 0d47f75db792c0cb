// The upper limit for cached responses: a bare node:http server that only writes prepared bytes and
// headers.
import http from 'node:http'
import { text } from 'node:stream/consumers'

/** {path: {status, headers: [name, value, …], body: base64}}, read from standard input. */
const answers = new Map(
  Object.entries(JSON.parse(await text(process.stdin))).map(([path, { status, headers, body }]) => [
    path,
    { status, headers, body: Buffer.from(body, 'base64') },
  ]),
)

http
  .createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    const found = answers.get(request.url)
    if (!found) return response.writeHead(404).end()
    response.writeHead(found.status, found.headers)
    response.end(found.status === 304 ? undefined : found.body)
  })
  .listen(Number(process.argv[2]), '127.0.0.1')
