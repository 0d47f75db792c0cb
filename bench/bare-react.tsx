/**
 * The upper limit for rendered responses: node:http and React render the page on each request, with
 * no middleware, loader or cache (`bare` in bench/renders.ts).
 */
import { createServer } from 'node:http'
import { renderToPipeableStream } from 'react-dom/server'
import { Page as BenchArticle } from '../client/pages/BenchArticle'
import { Page as BenchHome } from '../client/pages/BenchHome'

const pages = new Map([
  ['/bench/home', BenchHome],
  ['/bench/article', BenchArticle],
])

createServer((request, response) => {
  if (request.url === '/ready') return void response.end()
  const Page = pages.get(request.url ?? '')
  if (!Page) return void response.writeHead(404).end()
  response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
  const stream = renderToPipeableStream(
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Bench</title>
      </head>
      <body>
        <Page />
      </body>
    </html>,
    {
      onShellReady: () => void stream.pipe(response),
      onError: () => void response.destroy(),
    },
  )
}).listen(Number(process.argv[2]), '127.0.0.1')
