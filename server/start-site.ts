import cluster from 'node:cluster'
import { request, type RequestListener, type Server } from 'node:http'
import { join } from 'node:path'
import { commonHeaders } from './cache/security-headers'
import {
  assertContentFolder,
  superviseContent,
  type ContentSupervisor,
} from './content/compile/supervise-content'
import { createStore } from './content/store/store'
import { assertDatabaseUrl } from './db/database'
import { SettingsError, type Settings } from './env'
import { errorCode, SiteError } from './errors'
import { errorResponse } from './http/error-response'
import { createFront } from './http/front'
import { createHttpServer, type HttpServer } from './http/http-server'
import { healthz } from './middleware/health'
import { noticeIgnoredForwarding } from './request/ignored-forwarding'
import { listen } from './http/listen'
import { openLoopbackListener } from './http/loopback-listener'
import { keepBuildAssets } from './http/previous-builds'
import type { PublishedMetrics } from './ops/metrics/publish-metrics'
import { startRollup } from './ops/rollup/start-rollup'
import { openAddressLocations } from './request/address-locations'
import { startWarming, type WarmPace } from './pages/warm-up'
import { createApp } from './pipeline'
import { createSite, type Closer, type Site, type SiteOptions } from './site'
import { createMetrics, type Metrics } from './telemetry/metrics'
import { splitTarget } from './url/decode-path'
import { createHosts } from './url/hosts'

type StartOptions = SiteOptions & {
  /** False: the pipeline answers every request; tests compare the two. */
  front?: boolean
  /** How fast pages are warmed. Null: not at all, for tests that count what is stored. */
  warming?: WarmPace | null
}
export type RunningSite = { site: Site; port: number; stop: () => Promise<void> }

/** A start is given up when the first compile takes longer. */
const compileTimeoutMs = 10 * 60 * 1000
/** Connections that are still open after this time of a shutdown are closed. */
const drainTimeoutMs = 7000

/**
 * Starts the site: listens (see `answerWhileStarting`), runs the content process or joins a running
 * one, opens the services, renders the home page, and is ready. Rejects when a setting cannot be
 * used, or when the content is not compiled in time.
 */
export async function startSite(options: StartOptions): Promise<RunningSite> {
  const { settings, build, view, log, front = true } = options
  const { warming = settings.PAGE_WARMING ? {} : null } = options
  assertDatabaseUrl(settings.DATABASE_URL)
  assertContentFolder(settings.CONTENT_DIR)
  const metrics = createMetrics()
  const locations = openAddressLocations({ file: settings.GEOIP_DB, log })
  const listener = await openListener(settings, metrics)
  const { http, port } = listener
  const content = startContent(options)
  const store = createStore(settings.DATA_DIR)
  await Promise.all([store.ready(compileTimeoutMs), view.ready()])

  let published: Promise<PublishedMetrics> | null = null
  const metricsText = async (): Promise<string> => (await (await published)?.text()) ?? ''
  const { site, closers } = await createSite(options, {
    port,
    metrics,
    metricsText,
    content,
    store,
    locations,
  })
  const app = createApp(site)
  const serve = front ? createFront(site, app) : app
  listener.serve(noticeIgnoredForwarding(serve, settings, log, listener.serve))

  const loopback = await openLoopbackListener(http.server)
  await checkHomePage(loopback.port, site.hosts.origins.en)
  await listener.listenIfDelayed()
  site.state.ready = true
  // Loading what publishes metrics takes a while, so it begins when the site is ready.
  if (settings.OPS_TOKEN)
    published = import('./ops/metrics/publish-metrics').then(({ publishMetrics }) =>
      publishMetrics(site, http.connections),
    )
  log.info({ port, node: process.version, ...site.hosts.origins }, 'ready')
  const stopWarming = startWarming(site, loopback, warming)
  const assetsKept = keepBuildAssets(build, settings.DATA_DIR, log)
  const announcing = startAnnouncing(site)
  const stopRollup = settings.OPS_TOKEN ? startRollup(site) : () => Promise.resolve()

  return {
    site,
    port,
    stop: () => {
      stopWarming()
      const stopMetrics = async (): Promise<void> => (await published)?.stop()
      const stopAnnouncing = async (): Promise<void> => (await announcing)?.()
      return stopSite(http, site, [
        () => assetsKept,
        stopMetrics,
        stopAnnouncing,
        stopRollup,
        ...closers,
      ])
    },
  }
}

/** Loaded only where it is used. Resolves to the function that stops it. */
async function startAnnouncing(site: Site): Promise<(() => Promise<void>) | null> {
  const { INDEXING, INDEXNOW_KEY, INDEXNOW_ENDPOINT } = site.settings
  if (!INDEXING || INDEXNOW_KEY === '' || INDEXNOW_ENDPOINT === '') return null
  const { startIndexNow } = await import('./feeds/index-now/start-index-now')
  return startIndexNow(site)
}

type Listener = {
  http: HttpServer
  port: number
  /** From now on the listener answers requests. */
  serve: (listener: RequestListener) => void
  listenIfDelayed: () => Promise<void>
}

/** Answers until the site can serve: 200 to `/healthz`, 503 to everything else. */
function answerWhileStarting(
  settings: Settings,
  isSecureFor: (host: string | undefined) => boolean,
): RequestListener {
  const alive = JSON.stringify(healthz.body)
  return ({ method, url = '/', headers: { host } }, response) => {
    const { path } = splitTarget(url)
    const isHttps = isSecureFor(host)
    if (path === healthz.path && (method === 'GET' || method === 'HEAD'))
      return void response
        .writeHead(200, {
          ...commonHeaders(isHttps, settings),
          'Content-Type': 'application/json; charset=utf-8',
          'Content-Length': Buffer.byteLength(alive),
          'Cache-Control': 'no-store',
        })
        .end(alive)
    const notReady = new SiteError('notReady', undefined, { 'Retry-After': '1' })
    const { status, headers, body } = errorResponse(notReady, path, isHttps)
    response.writeHead(status, headers).end(body)
  }
}

/**
 * Opens the HTTP server, for which `answerWhileStarting` answers until `serve` is called. In a
 * cluster it listens only when the site is ready, because the primary process sends visitors to
 * every worker that listens; the others serve meanwhile. With PORT=0 it must listen now to learn
 * its port.
 */
async function openListener(settings: Settings, metrics: Metrics): Promise<Listener> {
  const { PORT: port } = settings
  // With PORT=0 the origins are not known yet, but those are not https.
  const { isSecureFor } = createHosts(settings, port)
  let current = answerWhileStarting(settings, isSecureFor)
  const http = createHttpServer(
    (incoming, response) => current(incoming, response),
    metrics.countError,
    isSecureFor,
  )
  const isDelayed = cluster.isWorker && port !== 0
  return {
    http,
    port: isDelayed ? port : await listenAsSet(http.server, settings),
    serve: (listener) => {
      current = listener
    },
    listenIfDelayed: async () => {
      if (isDelayed) await listenAsSet(http.server, settings)
    },
  }
}

/** Listens on HOST and PORT. What cannot be listened on is a bad setting. */
async function listenAsSet(
  server: Server,
  { PORT: port, HOST: host }: Pick<Settings, 'PORT' | 'HOST'>,
): Promise<number> {
  try {
    return await listen(server, { port, host })
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EADDRINUSE')
      throw new SettingsError(`PORT=${port} cannot be used: another program listens on it`)
    if (code === 'EACCES') throw new SettingsError(`PORT=${port} cannot be used: permission denied`)
    throw new SettingsError(
      `HOST=${JSON.stringify(host)} is not accepted: an address of this machine (${String(code)})`,
    )
  }
}

const startContent = ({ settings, build, log, root }: StartOptions): ContentSupervisor =>
  superviseContent(
    {
      content: settings.CONTENT_DIR,
      locales: join(root, 'locales'),
      public: join(root, 'public'),
      data: settings.DATA_DIR,
      script: join(build.folder, 'server', 'content.js'),
      compiler: build.compiler,
      routes: build.routes,
    },
    log,
  )

/**
 * Renders the first page. A site that cannot show its home page is not ready. It may redirect, when
 * the redirect table has a row for it.
 */
async function checkHomePage(port: number, origin: string): Promise<void> {
  const headers = { host: new URL(origin).host, connection: 'close' }
  const status = await new Promise<number | undefined>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: '/', headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
      .on('error', reject)
      .end()
  })
  if (!status || status >= 400) throw new Error(`the home page answered ${status}`)
}

/**
 * Not ready any more; accepts no new connections, finishes running requests, then closes the
 * services in their order.
 */
async function stopSite(
  http: HttpServer,
  { state }: Pick<Site, 'state'>,
  closers: readonly Closer[],
): Promise<void> {
  state.draining = true
  await http.drain(drainTimeoutMs)
  for (const close of closers) await close()
}
