import { join } from 'node:path'
import type { ViewModule } from '../shared/view'
import type { ApiServices, CheckRateLimit } from './api/define-call'
import { createKeyring, type Keyring } from './api/envelope/keyring'
import { createBackendFiles } from './api/upstream/backend-files'
import { createBaseInfoProvider, type BaseInfoProvider } from './api/upstream/base-info'
import { createUpstream, type Upstream } from './api/upstream/upstream-client'
import type { Build } from './build-info'
import type { Background } from './cache/background-jobs'
import { type BackgroundThread, createBackgroundThread } from './cache/background-thread'
import type { AnswerCache } from './cache/answer-cache'
import type { SecondLevel } from './cache/second-level'
import type { AnswerTurns } from './cache/answer-turns'
import { createAnswerServer } from './cache/serve-answer'
import { startCaching, type Caching } from './cache/start-caching'
import type { ContentSupervisor } from './content/compile/supervise-content'
import { contentFile } from './content/data-files'
import type { ContentStore } from './content/store/store'
import { connectRedis, type RedisConnection } from './db/connect-redis'
import { openDatabase, type Database } from './db/database'
import type { Settings } from './env'
import { createRateLimits } from './http/rate-limits'
import { createImageService, imageFolder, type ImageService } from './images/image-service'
import type { OpsServices } from './ops/ops-call'
import { createIslandLoader } from './pages/islands/island-table'
import { createSimilarPages } from './pages/not-found-suggestions'
import type { IslandLoader, PageServices } from './pages/page-services'
import { countSearches, type SearchCounter } from './search/count-searches'
import { createSearchService, type SearchService } from './search/search-service'
import type { AddressLocations } from './request/address-locations'
import type { Logger } from './telemetry/logger'
import type { Metrics } from './telemetry/metrics'
import { createRecentErrors, type RecentErrors } from './telemetry/recent-errors'
import type { Tracing } from './telemetry/tracing'
import { countAddresses, type AddressCounter } from './url/count-addresses'
import { createHosts } from './url/hosts'
import { createUrlContext } from './url/url-context'

/** What the rows of the pipeline use. Each takes only its part. */
export type Site = PageServices &
  ApiServices &
  OpsServices & {
    /** The second level of the page cache; null without Redis. */
    secondLevel: SecondLevel | null
    background: Background
    /** In which turn an answer is made. */
    turns: AnswerTurns
    images: ImageService
    /** `draining`: from the start of a shutdown. */
    state: { ready: boolean; draining: boolean }
    /** Folders whose files are served. */
    folders: { public: string; assets: string }
    /** Counts API calls by address, over all processes (spec 10.1). */
    checkRateLimit: CheckRateLimit
    /** The operator's backend; null when the embedded API answers. */
    upstream: Upstream | null
    baseInfo: BaseInfoProvider
    /** Null without OPS_TOKEN: then the counts cannot be read. */
    addressCounter: AddressCounter | null
    recentErrors: RecentErrors
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
type Started = {
  port: number
  metrics: Metrics
  metricsText: () => Promise<string>
  content: ContentSupervisor
  /** Ready to be read. */
  store: ContentStore
  locations: AddressLocations
}

/** Closes one service. */
export type Closer = () => Promise<void> | void

const noWrapping = (load: IslandLoader): IslandLoader => load

/** Creates all services, and the functions that close them, in their order. */
export async function createSite(
  options: SiteOptions,
  { port, metrics, metricsText, content, store, locations }: Started,
): Promise<{ site: Site; closers: readonly Closer[] }> {
  const { settings, build, view, log, wrapIslands = noWrapping } = options
  const hosts = createHosts(settings, port)
  const redis = settings.REDIS_URL ? await connectRedis(settings.REDIS_URL, log) : null
  const contentState = (): string => `${store.state()} ${baseInfo.state()}`
  const background = createBackgroundThread(join(build.folder, 'server', 'background-worker.js'))
  const cachingOptions = { settings, build, hosts, store, contentState, redis, background, log }
  const caching = startCaching(cachingOptions)
  const baseInfo: BaseInfoProvider = openBaseInfo(options, store, caching.cache)
  const rateLimits = createRateLimits(settings, redis, log)
  const database = openSiteDatabase(options)
  const searches = countSearches({ database, log })
  const search = createSearch(options, searches, store)
  const keyring = await openKeyring(options, database)
  const upstream = settings.API_UPSTREAM ? createUpstream(settings.API_UPSTREAM) : null
  const tracing = await startTracingIfConfigured(settings, build)
  const backendFiles = settings.API_UPSTREAM ? createBackendFiles(settings.API_UPSTREAM, log) : null
  const site: Site = {
    settings,
    build,
    hosts,
    store,
    cache: caching.cache,
    background,
    secondLevel: caching.secondLevel,
    purge: caching.purge,
    search,
    view,
    images: createImages(options),
    log,
    metrics,
    contentNodeVersion: content.nodeVersion,
    metricsText,
    tracing,
    turns: caching.turns,
    serveAnswer: createAnswerServer({
      ...caching,
      countMiss: rateLimits.countMiss,
      trustedProxies: settings.TRUST_PROXY,
      log,
    }),
    countMiss: rateLimits.countMiss,
    urlContext: createUrlContext(store, hosts),
    state: { ready: false, draining: false },
    ...createFoldersAndCounts(options, { database, hosts }),
    database,
    keyring,
    locate: locations.locate,
    checkRateLimit: rateLimits.check,
    reserveRows: rateLimits.reserveRows,
    upstream,
    baseInfo,
    loadIsland: wrapIslands(openIslands(build, { store, search }, backendFiles)),
  }
  const running = { caching, background, content, redis, rateLimits, locations, backendFiles }
  return { site, closers: closersOf(site, { ...running, searches }) }
}

/** Folders of files, and what the console shows of this process. */
const createFoldersAndCounts = (
  { settings, build, root, log }: SiteOptions,
  { database, hosts }: Pick<Site, 'database' | 'hosts'>,
): Pick<Site, 'folders' | 'sources' | 'recentErrors' | 'addressCounter'> => ({
  folders: { public: join(root, 'public'), assets: join(build.folder, 'client', 'assets') },
  sources: { content: settings.CONTENT_DIR, locales: join(root, 'locales') },
  recentErrors: createRecentErrors(),
  addressCounter: settings.OPS_TOKEN ? countAddresses({ database, hosts, log }) : null,
})

type OtherServices = {
  caching: Pick<Caching, 'stop'>
  background: Pick<BackgroundThread, 'close'>
  content: ContentSupervisor
  redis: RedisConnection | null
  rateLimits: { close: () => void }
  locations: { close: () => void }
  backendFiles: { close: () => void } | null
  searches: SearchCounter
}

/**
 * In closing order: Redis closes after its users, the database after everything that may still
 * write to it.
 */
const closersOf = (
  { search, images, store, upstream, baseInfo, database, addressCounter, tracing }: Site,
  {
    caching,
    background,
    content,
    redis,
    rateLimits,
    locations,
    backendFiles,
    searches,
  }: OtherServices,
): Closer[] => [
  caching.stop,
  () => background.close(),
  () => search.close(),
  () => content.stop(),
  () => images.close(),
  () => store.close(),
  () => rateLimits.close(),
  () => locations.close(),
  () => redis?.close(),
  () => upstream?.close(),
  () => baseInfo.close(),
  () => backendFiles?.close(),
  () => addressCounter?.stop(),
  () => searches.stop(),
  () => database.close(),
  () => tracing?.stop(),
]

const openIslands = (
  { snippets }: Build,
  { store, search }: Pick<PageServices, 'store' | 'search'>,
  backendFiles: ReturnType<typeof createBackendFiles> | null,
): IslandLoader =>
  createIslandLoader({
    store,
    snippets,
    similarPages: createSimilarPages({ search, store }),
    readBackendFiles: backendFiles?.read ?? null,
  })

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
    migrationWaitMs: 5000,
  })

function createSearch(
  { settings, build, log }: SiteOptions,
  searches: SearchCounter,
  store: ContentStore,
): SearchService {
  const search = createSearchService({
    script: join(build.folder, 'server', 'search.js'),
    database: contentFile(settings.DATA_DIR),
    log,
    onSearch: searches.count,
  })
  store.onChange(() => search.clearResults())
  return search
}

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
