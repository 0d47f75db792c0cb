import { join } from 'node:path'
import type { ViewModule } from '../shared/view'
import type { ApiServices, CheckRateLimit } from './api/define-call'
import { createKeyring, type Keyring } from './api/envelope/keyring'
import { createBaseInfoProvider, type BaseInfoProvider } from './api/upstream/base-info'
import { createUpstream, type Upstream } from './api/upstream/upstream-client'
import type { Build } from './build-info'
import type { AnswerCache } from './cache/answer-cache'
import type { SecondLevel } from './cache/second-level'
import { createAnswerServer } from './cache/serve-answer'
import { startCaching, type Caching } from './cache/start-caching'
import type { ContentSupervisor } from './content/compile/supervise-content'
import { contentFile } from './content/data-files'
import type { ContentStore } from './content/store/store'
import { connectRedis, type RedisConnection } from './db/connect-redis'
import { openDatabase, type Database } from './db/database'
import { countSearchMiss } from './db/search-misses'
import type { Settings } from './env'
import { createRateLimits } from './http/rate-limits'
import { createImageService, imageFolder, type ImageService } from './images/image-service'
import type { OpsServices } from './ops/ops-call'
import { createIslandLoader } from './pages/islands/island-table'
import type { IslandLoader, PageServices } from './pages/page-services'
import { createSearchService, type SearchService } from './search/search-service'
import type { Logger } from './telemetry/logger'
import type { Metrics } from './telemetry/metrics'
import type { Tracing } from './telemetry/tracing'
import { createHosts } from './url/hosts'
import { createUrlContext } from './url/url-context'

/** What the rows of the pipeline use. Each takes only its part. */
export type Site = PageServices &
  ApiServices &
  OpsServices & {
    /** The second level of the page cache; null without Redis. */
    secondLevel: SecondLevel | null
    images: ImageService
    /** Version of Node of the content process; null while this process does not run it. */
    contentNodeVersion: () => string | null
    /** `draining`: from the start of a shutdown. */
    state: { ready: boolean; draining: boolean }
    /** Folders whose files are served. */
    folders: { public: string; assets: string }
    /** Counts API calls by address, over all processes (spec 10.1). */
    checkRateLimit: CheckRateLimit
    /** The operator's backend; null when the embedded API answers. */
    upstream: Upstream | null
    baseInfo: BaseInfoProvider
  }

export type SiteOptions = {
  settings: Settings
  build: Build
  view: ViewModule
  log: Logger
  /** Folder of the project. */
  root: string
  /** Wraps the loader of islands; tests make islands late. */
  wrapIslands?: (load: IslandLoader) => IslandLoader
}

/** What is running already when the services are created. */
export type Started = {
  port: number
  metrics: Metrics
  metricsText: () => Promise<string>
  content: ContentSupervisor
  /** Ready to be read. */
  store: ContentStore
}

/** Closes one service. */
export type Closer = () => Promise<void> | void

const noWrapping = (load: IslandLoader): IslandLoader => load

/** Creates all services, and the functions that close them, in their order. */
export async function createSite(
  options: SiteOptions,
  { port, metrics, metricsText, content, store }: Started,
): Promise<{ site: Site; closers: readonly Closer[] }> {
  const { settings, build, view, log, root, wrapIslands = noWrapping } = options
  const hosts = createHosts(settings, port)
  const redis = settings.REDIS_URL ? connectRedis(settings.REDIS_URL, log) : null
  const contentState = (): string => `${store.state()} ${baseInfo.state()}`
  const caching = startCaching({ settings, build, hosts, store, contentState, redis, log })
  const baseInfo: BaseInfoProvider = openBaseInfo(options, store, caching.cache)
  const rateLimits = createRateLimits(settings, redis, log)
  const database = openSiteDatabase(options)
  const search = createSearch(options, database)
  store.onChange(() => search.clearResults())
  const keyring = await openKeyring(options, database)
  const images = createImages(options)
  const upstream = settings.API_UPSTREAM ? createUpstream(settings.API_UPSTREAM) : null
  const tracing = await startTracingIfConfigured(settings, build)
  const site: Site = {
    settings,
    build,
    hosts,
    store,
    cache: caching.cache,
    secondLevel: caching.secondLevel,
    purge: caching.purge,
    search,
    view,
    images,
    log,
    metrics,
    contentNodeVersion: content.nodeVersion,
    metricsText,
    tracing,
    serveAnswer: createAnswerServer({ ...caching, log }),
    urlContext: createUrlContext(store, hosts),
    state: { ready: false, draining: false },
    folders: { public: join(root, 'public'), assets: join(build.folder, 'client', 'assets') },
    database,
    keyring,
    checkRateLimit: rateLimits.check,
    upstream,
    baseInfo,
    loadIsland: wrapIslands(createIslandLoader(store, build.snippets)),
  }
  return { site, closers: closersOf(site, { caching, content, redis, rateLimits }) }
}

type OtherServices = {
  caching: Pick<Caching, 'stop'>
  content: ContentSupervisor
  redis: RedisConnection | null
  rateLimits: { close: () => void }
}

/**
 * In closing order: Redis closes after its users, the database after everything that may still
 * write to it.
 */
const closersOf = (
  { search, images, store, upstream, baseInfo, database, tracing }: Site,
  { caching, content, redis, rateLimits }: OtherServices,
): Closer[] => [
  caching.stop,
  () => search.close(),
  () => content.stop(),
  () => images.close(),
  () => store.close(),
  () => rateLimits.close(),
  () => redis?.close(),
  () => upstream?.close(),
  () => baseInfo.close(),
  () => database.close(),
  () => tracing?.stop(),
]

const openBaseInfo = (
  { settings, log }: SiteOptions,
  store: ContentStore,
  cache: AnswerCache,
): BaseInfoProvider =>
  createBaseInfoProvider(settings, store, log, () => {
    const purged = cache.purge((_key, { tags }) => tags.includes('base-info'))
    log.info({ purged }, 'base info changed')
  })

const openSiteDatabase = ({ settings, build, log }: SiteOptions): Database =>
  openDatabase({
    url: settings.DATABASE_URL,
    script: join(build.folder, 'server', 'sqlite-worker.js'),
    log,
  })

const createSearch = ({ settings, build, log }: SiteOptions, database: Database): SearchService =>
  createSearchService({
    script: join(build.folder, 'server', 'search.js'),
    database: contentFile(settings.DATA_DIR),
    log,
    // Counted for the owner's statistics; an unavailable database loses the count, not the answer.
    // The query is not logged, because it may contain a person's name.
    onMiss: (locale, query) =>
      void countSearchMiss(database, locale, query).catch((error: unknown) =>
        log.warn({ err: error }, 'a search without result could not be counted'),
      ),
  })

/**
 * Creates the key now and not for the first visitor. Without the database pages are served all the
 * same; calls that need it answer 503.
 */
async function openKeyring({ settings, log }: SiteOptions, database: Database): Promise<Keyring> {
  const keyring = createKeyring(database, settings.AUTH_PRIVATE_KEY)
  await keyring
    .publicKey()
    .catch((error: unknown) => log.error({ err: error }, 'the database is not available yet'))
  return keyring
}

const createImages = ({ settings, build, root, log }: SiteOptions): ImageService =>
  createImageService({
    folder: imageFolder(settings.DATA_DIR),
    prebuiltFolder: join(build.folder, 'images'),
    publicFolder: join(root, 'public'),
    contentFolder: settings.CONTENT_DIR,
    encoderScript: join(build.folder, 'server', 'encoder.js'),
    remote: { allowedHosts: settings.IMAGE_HOSTS },
    log,
  })

async function startTracingIfConfigured(
  { OTEL_SDK_DISABLED, OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT }: Settings,
  build: Build,
): Promise<Tracing | null> {
  const hasCollector = OTEL_EXPORTER_OTLP_ENDPOINT || OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
  if (OTEL_SDK_DISABLED || !hasCollector) return null
  return (await import('./telemetry/start-tracing')).startTracing(build)
}
