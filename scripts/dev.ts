/**
 * The development server, behind one address. Scripts and styles are served from memory and
 * replaced in the browser. When server code changes, the server is rebuilt and restarted. Texts and
 * content are picked up by the server's content process. The site has no code for this.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, watch, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import ReactRefreshPlugin from '@pmmmwh/react-refresh-webpack-plugin'
import express from 'express'
import pretty from 'pino-pretty'
import webpack from 'webpack'
import devMiddleware from 'webpack-dev-middleware'
import hotMiddleware from 'webpack-hot-middleware'
import { startIdentityProvider } from '../testing/identity-provider'
import { hostnameOf, isForThisMachine } from '../testing/local-names'
import { clientConfig, consoleConfig, serverConfig, viewConfig } from '../webpack.config'
import { collectBuildFacts } from './build-facts'
import { writeNamespaces } from './write-namespaces'

const root = resolve(__dirname, '..')
/** Its name starts with a dot, so it is never taken for a build to serve. */
const folder = join(root, 'dist', '.dev')
const port = Number(process.env['PORT'] || 3000)
const options = { root, folder, mode: 'development' as const }
const printer = pretty({ colorize: process.stdout.isTTY, ignore: 'pid,hostname' })

// A new file of texts gets its types and is served without a restart.
writeNamespaces(root)
watch(join(root, 'locales', 'en'), () => {
  try {
    writeNamespaces(root)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
  }
})

// The server expects this folder. It stays empty, because scripts and styles come from memory.
mkdirSync(join(folder, 'client', 'assets'), { recursive: true })
const configuration = clientConfig(options)
configuration.plugins?.push(new ReactRefreshPlugin({ overlay: false }))
const client = webpack(configuration)
const consoleClient = webpack(consoleConfig(options))
const backend = webpack([viewConfig(options), serverConfig(options)])
if (!client || !consoleClient || !backend) throw new Error('webpack returned no compiler')
const hot = hotMiddleware(client, { log: false })

// A local identity provider, unless one is configured: sign-in works without a Google account.
const identityProvider = process.env['GOOGLE_CLIENT_ID'] ? null : startIdentityProvider()

let server: ChildProcess | null = null
let serverPort = 0
let wasReady = false
let isStopping = false

/**
 * Restarts run one after the other: two at the same time would leave a server that is never
 * stopped.
 */
let lastRestart: Promise<void> = Promise.resolve()
function restart(): void {
  lastRestart = lastRestart
    .then(() => (isStopping ? undefined : startServer()))
    .catch((error: unknown) => console.error(error))
}

async function stopServer(): Promise<void> {
  const previous = server
  server = null
  if (!previous) return
  previous.removeAllListeners('exit')
  const exited = new Promise((done) => previous.once('exit', done))
  previous.kill('SIGTERM')
  await exited
}

/** Starts the server on a free port. Its log lines tell the port, and when content has changed. */
async function startServer(): Promise<void> {
  await stopServer()
  writeFileSync(join(folder, 'build.json'), JSON.stringify(collectBuildFacts(root, 'development')))
  const origins = {
    SITE_URL_EN: `http://localhost:${port}`,
    SITE_URL_ZH: `http://zh.localhost:${port}`,
    SITE_URL_RU: `http://ru.localhost:${port}`,
  }
  const started = spawn(process.execPath, [join(folder, 'server', 'main.js')], {
    cwd: root,
    env: {
      ...origins,
      ...(await identityProvider)?.settings,
      PAGE_CACHE_MAX_MB: '0',
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      NODE_ENV: 'development',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  server = started
  started.once('exit', (code) => {
    server = null
    console.error(`the server exited (${code ?? 'killed'}); it starts again after the next change`)
  })
  if (started.stdout) createInterface({ input: started.stdout }).on('line', handleLogLine)
}

type LogLine = { msg?: string; port?: number }

/** The server writes its log lines as JSON; other lines are those of `console.log`. */
function parseLogLine(line: string): LogLine {
  try {
    return (JSON.parse(line) as LogLine | null) ?? {}
  } catch {
    return {}
  }
}

function handleLogLine(line: string): void {
  printer.write(`${line}\n`)
  const { msg, port: readyPort } = parseLogLine(line)
  if (msg === 'ready' && readyPort) {
    serverPort = readyPort
    if (wasReady) hot.publish({ action: 'reload' })
    else
      console.log(
        `http://localhost:${port}  http://zh.localhost:${port}  http://ru.localhost:${port}`,
      )
    wasReady = true
  }
  if (msg === 'content changed') hot.publish({ action: 'reload' })
}

/** Names that the developer chose for this machine. */
const ownNames = ['SITE_URL_EN', 'SITE_URL_ZH', 'SITE_URL_RU'].flatMap(
  (name) => hostnameOf(process.env[name]) ?? [],
)

const app = express()
app.use((incoming, outgoing, next) => {
  // Sources are scripts, which any site can load into its pages; links to pages are harmless.
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = incoming.headers
  if (isForThisMachine(incoming, ownNames) && (site !== 'cross-site' || mode === 'navigate'))
    return next()
  outgoing
    .writeHead(403, { 'Content-Type': 'text/plain' })
    .end('The development server answers only pages of this machine.\n')
})
app.use(hot)
app.use(devMiddleware(client, { publicPath: '/assets/' }))
app.use(devMiddleware(consoleClient, { publicPath: '/assets/' }))
app.use((incoming, outgoing) => {
  const forward = request(
    {
      host: '127.0.0.1',
      port: serverPort,
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

const firstClientBuild = Promise.all(
  [client, consoleClient].map(
    ({ hooks }) => new Promise<void>((done) => hooks.done.tap('dev', () => done())),
  ),
)
const watcher = backend.watch({ aggregateTimeout: 100 }, (error, stats) => {
  if (error || !stats) return console.error(error)
  if (stats.hasErrors()) return console.error(stats.toString('errors-only'))
  void firstClientBuild.then(restart)
})
const frontServer = app.listen(port, '127.0.0.1', (error) => {
  if (!error) return
  console.error(`cannot listen on PORT=${port}: ${error.message}`)
  process.exit(1)
})

async function stop(): Promise<void> {
  isStopping = true
  watcher?.close(() => undefined)
  frontServer.closeAllConnections()
  await lastRestart
  await stopServer()
  process.exit(0)
}
process.once('SIGINT', () => void stop())
process.once('SIGTERM', () => void stop())
