/**
 * Development: one address in front. Scripts and styles come from memory and replace themselves in the browser; server
 * and interface are rebuilt and the server started anew; texts and content reach it by its own content process. The
 * site itself knows nothing of all this.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import express from 'express'
import pretty from 'pino-pretty'
import webpack from 'webpack'
import devMiddleware from 'webpack-dev-middleware'
import hotMiddleware from 'webpack-hot-middleware'
import { startIdentityProvider } from '../testing/identity-provider'
import { clientConfig, serverConfig, viewConfig } from '../webpack.config'
import { buildFacts } from './build-facts'

const root = resolve(__dirname, '..')
const folder = join(root, 'dist', 'dev')
const port = Number(process.env['PORT'] || 3000)
const options = { root, folder, mode: 'development' as const }
const printer = pretty({ colorize: process.stdout.isTTY, ignore: 'pid,hostname' })

// Scripts and styles come from memory: the folder that a server expects them in stays empty.
mkdirSync(join(folder, 'client', 'assets'), { recursive: true })
const client = webpack(clientConfig(options))
const backend = webpack([viewConfig(options), serverConfig(options)])
if (!client || !backend) throw new Error('webpack gave no compiler')
const hot = hotMiddleware(client, { log: false })

// Signing in can be tried without an account anywhere: a provider of our own stands in, unless one is set.
const provider = process.env['GOOGLE_CLIENT_ID'] ? null : startIdentityProvider()

let child: ChildProcess | null = null
let childPort = 0
let reloadWhenReady = false
let ending = false

/** One change at a time: two starts side by side would leave a server that nobody ends. */
let restarted: Promise<void> = Promise.resolve()
const restart = (): void =>
  void (restarted = restarted.then(() => (ending ? undefined : startServer())))

/** Starts the server on a free port; its log lines tell the port and when content has changed. */
async function startServer(): Promise<void> {
  const previous = child
  child = null
  if (previous) {
    previous.removeAllListeners('exit')
    const ended = new Promise((done) => previous.once('exit', done))
    previous.kill('SIGTERM')
    await ended
  }
  writeFileSync(join(folder, 'build.json'), JSON.stringify(buildFacts(root, 'development')))
  const origins = {
    SITE_URL_EN: `http://localhost:${port}`,
    SITE_URL_ZH: `http://zh.localhost:${port}`,
    SITE_URL_RU: `http://ru.localhost:${port}`,
  }
  const started = spawn(process.execPath, [join(folder, 'server', 'main.js')], {
    cwd: root,
    env: {
      ...origins,
      ...(await provider)?.settings,
      PAGE_CACHE_MAX_MB: '0',
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      NODE_ENV: 'development',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child = started
  started.once('exit', (code) => {
    child = null
    console.error(`the server ended (${code ?? 'killed'}); it starts again after the next change`)
  })
  if (started.stdout) createInterface({ input: started.stdout }).on('line', onLine)
}

function onLine(line: string): void {
  printer.write(`${line}\n`)
  const { msg, port: ready } = JSON.parse(line) as { msg?: string; port?: number }
  if (msg === 'ready' && ready) {
    childPort = ready
    if (reloadWhenReady) hot.publish({ action: 'reload' })
    else
      console.log(
        `http://localhost:${port}  http://zh.localhost:${port}  http://ru.localhost:${port}`,
      )
    reloadWhenReady = true
  }
  if (msg === 'content changed') hot.publish({ action: 'reload' })
}

const app = express()
app.use(hot)
app.use(devMiddleware(client, { publicPath: '/assets/' }))
app.use((incoming, outgoing) => {
  const forward = request(
    {
      host: '127.0.0.1',
      port: childPort,
      path: incoming.originalUrl,
      method: incoming.method,
      headers: incoming.headers,
    },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    },
  )
  forward.on('error', () =>
    outgoing.headersSent
      ? outgoing.destroy()
      : outgoing
          .writeHead(503, { 'Retry-After': '1', 'Content-Type': 'text/plain' })
          .end('The server is starting.\n'),
  )
  incoming.pipe(forward)
})

const firstClientBuild = new Promise<void>((done) => client.hooks.done.tap('dev', () => done()))
const watching = backend.watch({ aggregateTimeout: 100 }, (error, stats) => {
  if (error || !stats) return console.error(error)
  if (stats.hasErrors()) return console.error(stats.toString('errors-only'))
  void firstClientBuild.then(restart)
})
const server = app.listen(port, (error) => {
  if (!error) return
  console.error(`PORT=${port} cannot be listened on: ${error.message}`)
  process.exit(1)
})

async function end(): Promise<void> {
  ending = true
  watching?.close(() => undefined)
  server.closeAllConnections()
  await restarted
  child?.removeAllListeners('exit')
  child?.once('exit', () => process.exit(0))
  if (child) child.kill('SIGTERM')
  else process.exit(0)
}
process.once('SIGINT', () => void end())
process.once('SIGTERM', () => void end())
