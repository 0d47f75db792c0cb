import cluster from 'node:cluster'
import { request, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { ViewModule } from '../shared/view'
import { createApp } from './pipeline'
import type { Build } from './build-info'
import { createKeyring } from './api/keyring'
import { createAnswerServer } from './cache/serve-answer'
import { startCaching } from './cache/start-caching'
import { contentFile } from './content/data-files'
import { createStore } from './content/store/store'
import { superviseContent } from './content/compile/supervisor'
import { openDatabase } from './db/database'
import { countSearchMiss } from './db/search-misses'
import type { Settings } from './env'
import { createFront } from './http/front'
import { createHttpServer, type HttpServer } from './http/http-server'
import { createImageService, imageFolder } from './images/image-service'
import { createIslandLoader } from './pages/islands/load-island'
import { keepAssets } from './http/previous-builds'
import { createRateLimits } from './http/rate-limits'
import type { Logger } from './telemetry/logger'
import { createMetrics } from './telemetry/metrics'
import type { PublishedMetrics } from './ops/metrics/publish-metrics'
import { openLoopbackListener } from './http/loopback-listener'
import { connectRedis } from './db/connect-redis'
import { createSearch } from './search/search-service'
import type { Tracing } from './telemetry/tracing'
import type { IslandLoader, Site } from './site'
import { createBaseInfo } from './api/upstream/base-info'
import { createUpstream } from './api/upstream/exchange'
import { createHosts } from './url/hosts'
import { startWarming, type WarmPace } from './pages/warm-up'
import { createUrlContext } from './url/url-context'

export type StartOptions = {
  settings: Settings
  build: Build
  view: ViewModule
  log: Logger
  root: string
  /** Wraps the loader of islands; tests make islands late. */
  wrapIslands?: (load: IslandLoader) => IslandLoader
  /** False: everything takes the way of the pipeline; tests compare the two. */
  front?: boolean
  /** How fast pages are warmed; null: not at all, for tests that count what is stored. */
  warming?: WarmPace | null
}
export type RunningSite = { site: Site; port: number; stop: () => Promise<void> }

/** The longest that a first compile may take before a start is given up, and connections before they are cut at a shutdown (ms). */
const compileTimeout = 10 * 60 * 1000
const drainTimeout = 7000

function listen(server: Server, { PORT, HOST }: Settings): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(PORT, HOST, () => resolve((server.address() as AddressInfo).port))
  })
}

/**
 * Starts the site: listens (503 until it can serve), runs or joins the content process, opens what is compiled, renders
 * once, and is ready. In a cluster it listens last: the primary hands visitors to whoever listens, and the other processes serve
 * meanwhile. Rejects when it cannot listen or content is not compiled in time.
 */
export async function startSite({
  settings,
  build,
  view,
  log,
  root,
  wrapIslands = (load) => load,
  front = true,
  warming = {},
}: StartOptions): Promise<RunningSite> {
  let listener: RequestListener = (_request, response) => {
    response.writeHead(503, { 'Retry-After': '1', 'Cache-Control': 'no-store' })
    response.end()
  }
  const metrics = createMetrics()
  const http = createHttpServer((request, response) => listener(request, response), metrics.refused)
  // Without a port of its own it has to listen to know one.
  const listensLast = cluster.isWorker && settings.PORT !== 0
  const port = listensLast ? settings.PORT : await listen(http.server, settings)

  const content = superviseContent(
    {
      content: settings.CONTENT_DIR,
      locales: join(root, 'locales'),
      public: join(root, 'public'),
      data: settings.DATA_DIR,
      script: join(build.folder, 'server', 'content.js'),
      compiler: build.compiler,
    },
    log,
  )
  const store = createStore(settings.DATA_DIR)
  await Promise.all([store.ready(compileTimeout), view.ready()])

  const hosts = createHosts(settings, port)
  const redis = settings.REDIS_URL ? connectRedis(settings.REDIS_URL, log) : null
  const {
    cache,
    frozen,
    second,
    purge,
    stop: stopCaching,
  } = startCaching({
    settings,
    build,
    hosts,
    store,
    content: () => `${store.state()} ${baseInfo.state()}`,
    redis,
    log,
  })
  const baseInfo = createBaseInfo(settings, store, log, () => {
    log.info(
      { purged: cache.purge((_key, { tags }) => tags.includes('base-info')) },
      'base info changed',
    )
  })
  const rates = createRateLimits(settings, redis, log)
  const database = openDatabase({
    url: settings.DATABASE_URL,
    script: join(build.folder, 'server', 'sqlite-worker.js'),
    log,
  })
  const search = createSearch({
    script: join(build.folder, 'server', 'search.js'),
    database: contentFile(settings.DATA_DIR),
    log,
    // Counted for the owner's insights; a store that is away loses a count, not an answer. The words stay out of the log: they may name a person.
    onMiss: (locale, query) =>
      void countSearchMiss(database, locale, query).catch((error: unknown) =>
        log.warn({ err: error }, 'a search without result could not be counted'),
      ),
  })
  store.onChange(() => search.forget())
  const keyring = createKeyring(database, settings.AUTH_PRIVATE_KEY)
  // Made now, not by the first visitor. A store that is away keeps no page from being served: its calls answer 503 until it is back.
  await keyring
    .publicKey()
    .catch((error: unknown) => log.error({ err: error }, 'the store is not there yet'))
  const images = createImageService({
    folder: imageFolder(settings.DATA_DIR),
    builtIn: join(build.folder, 'images'),
    public: join(root, 'public'),
    content: settings.CONTENT_DIR,
    script: join(build.folder, 'server', 'encoder.js'),
    remote: { hosts: settings.IMAGE_HOSTS },
    log,
  })
  /** From readiness on: what it works with takes a while to load. */
  let published: Promise<PublishedMetrics> | null = null
  const site: Site = {
    settings,
    build,
    hosts,
    store,
    cache,
    second,
    purge,
    search,
    view,
    images,
    log,
    metrics,
    contentNode: content.node,
    metricsText: async () => (await (await published)?.text()) ?? '',
    tracing: await tracingOf(settings, build),
    serve: createAnswerServer({ cache, frozen, second, log }),
    urlContext: createUrlContext(store, hosts),
    state: { ready: false, draining: false },
    folders: { public: join(root, 'public'), assets: join(build.folder, 'client', 'assets') },
    database,
    keyring,
    limits: rates.limits,
    upstream: settings.API_UPSTREAM ? createUpstream(settings.API_UPSTREAM) : null,
    baseInfo,
    island: wrapIslands(createIslandLoader(store, build.snippets)),
  }
  const app = createApp(site) as unknown as RequestListener
  listener = front ? createFront(site, app) : app
  const entrance = await openLoopbackListener(http.server)
  await fetchHome(entrance.port, hosts.origins.en)
  if (listensLast) await listen(http.server, settings)
  site.state.ready = true
  if (settings.OPS_TOKEN)
    published = import('./ops/metrics/publish-metrics').then(({ publishMetrics }) =>
      publishMetrics(site, http.connections),
    )
  log.info({ port, node: process.version, ...hosts.origins }, 'ready')
  const stopWarming = startWarming(site, entrance, warming)
  const kept = keepAssets(build, settings.DATA_DIR, log)

  const stop = (): Promise<void> => {
    stopWarming()
    return stopSite(http, site, [
      () => kept,
      async () => (await published)?.stop(),
      stopCaching,
      () => search.close(),
      () => content.stop(),
      () => images.close(),
      async () => store.close(),
      async () => rates.close(),
      async () => redis?.close(),
      async () => site.upstream?.close(),
      async () => baseInfo.close(),
      () => database.close(),
      async () => site.tracing?.stop(),
    ])
  }
  return { site, port, stop }
}

async function tracingOf(
  { OTEL_SDK_DISABLED, OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT }: Settings,
  build: Build,
): Promise<Tracing | null> {
  if (OTEL_SDK_DISABLED || !(OTEL_EXPORTER_OTLP_ENDPOINT || OTEL_EXPORTER_OTLP_TRACES_ENDPOINT))
    return null
  return (await import('./telemetry/start-tracing')).startTracing(build)
}

/** The first render: a site that cannot show its home page is not ready. */
async function fetchHome(port: number, origin: string): Promise<void> {
  const status = await new Promise<number | undefined>((resolve, reject) => {
    request(
      {
        host: '127.0.0.1',
        port,
        path: '/',
        headers: { host: new URL(origin).host, connection: 'close' },
      },
      (response) => {
        response.resume().on('end', () => resolve(response.statusCode))
      },
    )
      .on('error', reject)
      .end()
  })
  if (status !== 200) throw new Error(`the home page answered ${status}`)
}

/** Readiness off, no new connections, running answers finished, children and files closed; cut after a hard limit. */
async function stopSite(
  http: HttpServer,
  { state }: Site,
  closers: ReadonlyArray<() => Promise<void>>,
): Promise<void> {
  state.draining = true
  await http.drain(drainTimeout)
  for (const close of closers) await close()
}
