/**
 * The numbers of the specification (spec 10 and 12). Server and client read them only here.
 * A name without a unit counts things or characters.
 */

const SECOND = 1000
const DAY_SECONDS = 24 * 60 * 60
export const dayMs = DAY_SECONDS * SECOND

/** All cookies of the public site (spec 12.1). */
export const cookies = {
  locale: { name: 'i18n_redirected', maxAgeSeconds: 365 * DAY_SECONDS },
  referrer: { name: '_POWER_REFERRER', maxAgeSeconds: 365 * DAY_SECONDS },
  device: { name: 'device_id', maxAgeSeconds: 360 * DAY_SECONDS },
  consent: { name: 'consent', maxAgeSeconds: 180 * DAY_SECONDS },
  referral: { name: 'invite_code', maxAgeSeconds: 7 * DAY_SECONDS },
} as const

/** Analytics (spec 12.3). */
export const analytics = {
  /** Events in one batch. */
  batchSize: 20,
  /** Size of a batch before it is encrypted; encrypted and encoded it still fits a beacon. */
  maxBatchBytes: 40 * 1024,
  /** Time without a new event after which the batch is sent. */
  sendDelayMs: 10 * SECOND,
  maxRetryDelayMs: 300 * SECOND,
  /** Events and characters that the browser stores until the server acknowledges them. */
  maxStoredEvents: 200,
  maxStoredChars: 256 * 1024,
  maxErrorsPerPage: 10,
  /** Visible share of an element that counts as seen. */
  exposureThreshold: 0.5,
  operations: { click: 3, view: 0, expose: 5, error: 6 },
  errorTypes: { resource: 100101, script: 100102, rejection: 100103 },
} as const

export const loadingBar = {
  /** A navigation that is faster shows no bar. */
  throttleMs: 200,
  durationMs: 2000,
  hideDelayMs: 500,
  resetDelayMs: 400,
  heightPx: 3,
} as const

/** Sign-up banner on phones. */
export const signupBanner = {
  appearAfterMs: 1 * SECOND,
  /** Counted from the end of scrolling. */
  reappearAfterMs: 5 * SECOND,
  /** Share of its width, at the left, that closes it. */
  closeZoneRatio: 0.08,
} as const

export const chat = {
  /** How often, and how many times, the page checks whether the chat widget is ready. */
  pollIntervalMs: 500,
  maxPolls: 1200,
  /** Distance of the chat buttons from the bottom edge, and from the chat frame. */
  bottomOffsetPx: 93,
  gapPx: 5,
  /** The page is idle this long before it loads the chat. */
  idleDelayMs: 5 * SECOND,
} as const

/** One-tap sign-in. The polls look for the credential frame. */
export const oneTap = {
  promptDelayMs: 3 * SECOND,
  pollIntervalMs: 500,
  pollTimeoutMs: 20 * 60 * SECOND,
} as const

export const toast = { displayMs: 3.6 * SECOND } as const
export const tooltip = { delayMs: 1 * SECOND, maxWidthPx: 265 } as const
export const scroll = { throttleMs: 200, topAfterViewports: 1 } as const
/** The error screen leaves the page at the end of the countdown. */
export const errorScreen = { countdownSeconds: 5 } as const
/** A chunk that fails to load reloads the page at most once in this time for one path. */
export const chunkReload = { guardMs: 10 * SECOND } as const
/** Prefetched payloads: requests at a time, lifetime, and how many the page keeps. */
export const prefetch = {
  maxConcurrent: 4,
  ttlMs: 3600 * SECOND,
  /** A younger payload counts as the redirect look-up of a navigation. */
  lookUpMs: 60 * SECOND,
  maxEntries: 50,
} as const
/** An open page polls for a newer build. */
export const buildFreshness = { pollIntervalMs: 300 * SECOND } as const
export const images = { densities: [1, 2], quality: 100, formats: ['avif', 'webp'] } as const
/** Image proxy (spec 10.1). */
export const imageLimits = {
  maxSourceBytes: 20 * 1024 * 1024,
  maxPixels: 50_000_000,
  maxVectorBytes: 1024 * 1024,
  maxHeightPx: 8192,
  /** Encoded variants that are kept on disk and in memory. */
  maxDiskBytes: 1024 * 1024 * 1024,
  maxMemoryBytes: 32 * 1024 * 1024,
  /** Requests that wait for the encoder. */
  maxQueued: 64,
  maxQueueWaitMs: 15 * SECOND,
  encodeTimeoutMs: 25 * SECOND,
  vectorTimeoutMs: 5 * SECOND,
  /** The encoder process ends after this time without work. */
  encoderIdleMs: 10 * SECOND,
  maxConcurrentFetches: 8,
  fetchTimeoutMs: 10 * SECOND,
  connectTimeoutMs: 3 * SECOND,
  maxRedirects: 3,
  remoteTtlMs: 3600 * SECOND,
  /** Remote URLs whose content is remembered, about 2 MB on disk. */
  maxRemotes: 10_000,
} as const
/** Layout breakpoints in px (spec 12.5). */
export const breakpoints = {
  xs: 320,
  mobile_s: 530,
  mobile: 767,
  sm: 992,
  md: 1200,
  xl: 1400,
  xxl: 1536,
} as const
export const fetchRetryStatuses: readonly number[] = [408, 409, 425, 429, 500, 502, 503, 504]

/** Currencies (spec 12.5). `abbreviate`: amounts are cut to thousands, marked with `K`. */
export const currencies = {
  USD: { symbol: '$', side: 'prefix', abbreviate: false },
  BRL: { symbol: 'R$', side: 'prefix', abbreviate: false },
  PLN: { symbol: 'zł', side: 'suffix', abbreviate: false },
  VND: { symbol: '₫', side: 'suffix', abbreviate: true },
} as const
export type Currency = keyof typeof currencies
export const defaultCurrency: Currency = 'USD'

/** Pages and their cache (spec 8.4, 8.5). */
export const pages = {
  /** How long an expired copy may be served. */
  staleSeconds: DAY_SECONDS,
  renderTimeoutMs: 5 * SECOND,
  /** How long a page waits for its islands before it is streamed. */
  islandWaitMs: 50,
  /** Time between two attempts to renew an entry. */
  renewalPauseMs: 5 * SECOND,
  /** Purges of other processes on the machine must take effect within 100 ms. */
  purgePollIntervalMs: 40,
} as const
/** The second-level page cache, which machines share through Redis. */
export const sharedCache = {
  maxAnswerBytes: 512 * 1024,
  maxRememberedPurges: 200,
  /** How often a process checks whether it missed a purge. */
  checkIntervalMs: 2 * SECOND,
  /** How far the clock of another machine may be ahead. */
  maxClockSkewMs: 60 * SECOND,
} as const
/** Limits of requests (spec 10.1). */
export const limits = {
  /** Address of a page in a field of the API. */
  maxPageUrlLength: 2048,
  maxTargetBytes: 8 * 1024,
  maxHeaderBytes: 16 * 1024,
  /** Ids, tags, names of islands and lists. */
  maxNameLength: 64,
  maxBodyBytes: 64 * 1024,
  maxJsonDepth: 32,
  headersTimeoutMs: 10 * SECOND,
  requestTimeoutMs: 30 * SECOND,
  idleTimeoutMs: 60 * SECOND,
  /**
   * Idle time between two requests. Longer than in the proxies of deploy/, so that they close
   * first.
   */
  keepAliveTimeoutMs: 65 * SECOND,
} as const
/**
 * What visitors from one address block (a /24 or a /48) may store in 24 hours: this factor times
 * the requests a minute that the setting `RATE_…` allows one address. A text of n bytes counts as
 * ceil(n / 1024) rows.
 */
export const rowBudgets = { visitor: 20, messages: 20, events: 200 } as const
export const rowBudgetSeconds = DAY_SECONDS
/** Rate limits. While Redis does not answer, each probe of it delays one request by the timeout. */
export const rates = {
  windowSeconds: 60,
  redisTimeoutMs: 100,
  redisProbeIntervalMs: 2 * SECOND,
} as const
/** The operator's backend (spec 10.1). */
export const upstream = {
  connectTimeoutMs: 1 * SECOND,
  firstByteTimeoutMs: 3 * SECOND,
  /** JSON is buffered until it is complete, so that half an answer becomes a failure. */
  responseTimeoutMs: 3.1 * SECOND,
  maxBufferedBytes: 64 * 1024,
  /** Longest silence in a response that streams. */
  idleTimeoutMs: 30 * SECOND,
  /** Reads by the server itself, all attempts together. */
  readBudgetMs: 2 * SECOND,
  refreshIntervalMs: 60 * SECOND,
  /** Time until the next refresh after one that failed. */
  retryDelayMs: 10 * SECOND,
} as const
/** Articles on one page of a list. */
export const listPageSize = 12

export const signIn = { nonceTtlMs: 600 * SECOND, tokenTtlMs: 60 * SECOND } as const
/** Hybrid envelope (spec 6.6): AES-256-GCM, its key encrypted with RSA-OAEP. */
export const envelope = {
  keyBytes: 32,
  ivBytes: 12,
  tagBytes: 16,
  rsaBits: 2048,
  /** Key pairs that are accepted at the same time, `AUTH_PRIVATE_KEY` included. */
  maxActiveKeys: 3,
} as const
/** Longest values of API fields, in characters unless the name says otherwise. */
export const maxFieldLengths = {
  source: 512,
  referralCode: 64,
  message: 4000,
  name: 100,
  email: 254,
  /** Each of `data` and `base_encode` of a fingerprint, decoded. */
  fingerprintBytes: 2 * 1024,
} as const
/** Largest accepted web vitals: durations in ms, and the layout shift score. */
export const maxVitals = { ms: 600 * SECOND, cls: 100 } as const
/**
 * Social pictures: size in px, disk space for all of them, how many may wait to be drawn, and how
 * many of one address.
 */
export const socialPicture = {
  width: 1200,
  height: 630,
  maxDiskBytes: 200 * 1024 * 1024,
  maxQueued: 32,
  maxInFlight: 8,
} as const
/** Limits of `npm run check:content`. */
export const contentChecks = {
  maxDescriptionLength: 160,
  /** Of Chinese and Japanese descriptions, whose characters are twice as wide. */
  maxDenseDescriptionLength: 80,
  /** Facts about other products must be checked again after this time. */
  maxFactAgeDays: 180,
} as const
export const sitemaps = {
  maxUrlsPerPart: 10_000,
  /** Compressed files in memory, of all languages. */
  maxKeptBytes: 32 * 1024 * 1024,
} as const
/** Announcements of changed URLs (spec 9.9). */
export const indexNow = {
  /** By the protocol. */
  maxUrlsPerPost: 10_000,
  /** The wait before the second attempt; each further one waits four times as long. */
  firstRetryMs: 1000,
  maxRetryMs: 6 * 60 * 60 * 1000,
  /** The last is about a day after the first. */
  maxAttempts: 12,
  timeoutMs: 10_000,
} as const
export const feeds = { maxEntries: 30 } as const
/** Site search (spec 9.6). */
export const search = {
  maxQueryLength: 200,
  defaultHits: 20,
  maxHits: 100,
  /** Searches that may wait, and those of one address that may wait or run. */
  maxQueued: 64,
  maxInFlight: 2,
  debounceMs: 150,
  maxRecentSearches: 5,
} as const
