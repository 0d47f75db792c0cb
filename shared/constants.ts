/** Every number of the specification (sections 4, 5 and 9), named. Server and client read them here and nowhere else. */

const SECOND = 1000
const DAY_SECONDS = 24 * 60 * 60

/** Cookies (decisions 7): name and life in seconds. There are no others. */
export const cookies = {
  locale: { name: 'i18n_redirected', maxAge: 365 * DAY_SECONDS },
  referrer: { name: '_POWER_REFERRER', maxAge: 365 * DAY_SECONDS },
  device: { name: 'device_id', maxAge: 360 * DAY_SECONDS },
  consent: { name: 'consent', maxAge: 180 * DAY_SECONDS },
  referral: { name: 'invite_code', maxAge: 7 * DAY_SECONDS },
} as const

/**
 * Analytics: events and bytes a batch, idle time before a batch is sent (ms), longest time between two tries (ms), events and characters
 * kept until they are acknowledged, errors reported from one page, share of an element that counts as seen.
 */
export const analytics = {
  batchSize: 20,
  batchBytes: 40 * 1024,
  sendDelay: 10 * SECOND,
  longestRetry: 300 * SECOND,
  storedEvents: 200,
  storedBytes: 256 * 1024,
  errorsPerPage: 10,
  exposureThreshold: 0.5,
  operations: { click: 3, view: 0, expose: 5, error: 6 },
  errorTypes: { resource: 100101, script: 100102, rejection: 100103 },
} as const

/** Loading bar (ms, px): throttle before it shows, time to ease over, hide and reset delays. */
export const loadingBar = {
  throttle: 200,
  duration: 2000,
  hideDelay: 500,
  resetDelay: 400,
  height: 3,
} as const

/** Mobile sign-up banner: first appearance and re-appearance after scrolling stops (ms), the closing zone at its left. */
export const signupBanner = {
  appearAfter: 1 * SECOND,
  reappearAfter: 5 * SECOND,
  closeZone: 0.08,
} as const

/** Chat: ready polling (ms, ticks), the buttons' place above the bottom edge (px), and how long a page is idle before anything of a chat is loaded (ms). */
export const chat = {
  pollEvery: 500,
  pollTicks: 1200,
  bottomOffset: 93,
  gap: 5,
  idleBefore: 5 * SECOND,
} as const

/** One-tap sign-in: delay of the prompt, polling of the credential frame and its end (ms). */
export const oneTap = {
  promptDelay: 3 * SECOND,
  pollEvery: 500,
  pollEnd: 20 * 60 * SECOND,
} as const

export const toast = { display: 3.6 * SECOND } as const
export const tooltip = { delay: 1 * SECOND, maxWidth: 265 } as const
export const scroll = { throttle: 200, topAfterViewports: 1 } as const
/** Error screen: seconds until the visitor is taken back. */
export const errorScreen = { countdown: 5 } as const
/** A failed chunk reloads the page at most once in this time for the same path (ms). */
export const chunkReload = { guard: 10 * SECOND } as const
/** Preloads at once, how long a payload stays good (ms), and how many are kept. */
export const prefetch = { atOnce: 4, lifetime: 3600 * SECOND, entries: 50 } as const
/** How often an open page asks for the latest build (ms). */
export const buildFreshness = { pollEvery: 300 * SECOND } as const
export const images = { densities: [1, 2], quality: 100, formats: ['avif', 'webp'] } as const
/** Image proxy (decisions 10): what a source may hold (bytes, pixels) and a picture's height at most (px); what results may take on disk and in memory (bytes); waiting encodes and fetches, and how long one waits (ms). */
export const imageLimits = {
  sourceBytes: 20 * 1024 * 1024,
  pixels: 50_000_000,
  vectorBytes: 1024 * 1024,
  height: 8192,
  diskBytes: 1024 * 1024 * 1024,
  memoryBytes: 32 * 1024 * 1024,
  queue: 64,
  queueWait: 15 * SECOND,
  encodeTimeout: 25 * SECOND,
  vectorTimeout: 5 * SECOND,
  encoderIdle: 10 * SECOND,
  fetches: 8,
  fetchTimeout: 10 * SECOND,
  connectTimeout: 3 * SECOND,
  redirects: 3,
  remoteFresh: 3600 * SECOND,
} as const
/** Layout breakpoints (px, spec section 9). */
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

/** Currencies: symbol, its side, and whether amounts are cut to thousands with `K` (spec section 9). */
export const currencies = {
  USD: { symbol: '$', side: 'prefix', abbreviate: false },
  BRL: { symbol: 'R$', side: 'prefix', abbreviate: false },
  PLN: { symbol: 'zł', side: 'suffix', abbreviate: false },
  VND: { symbol: '₫', side: 'suffix', abbreviate: true },
} as const
export type Currency = keyof typeof currencies
export const defaultCurrency: Currency = 'USD'

/**
 * Page cache (decisions 8): how long a stale copy may stand in (s); the time of a render, and between a renewal that
 * began or failed and the next (ms); how often purges of other processes are looked for (ms; they follow within 100).
 */
export const pages = {
  staleSeconds: DAY_SECONDS,
  renderTimeout: 5 * SECOND,
  renewalPause: 5 * SECOND,
  purgePoll: 40,
} as const
/**
 * What machines share of the page cache through Redis: bytes of one answer at most, how many of the last purges are remembered, how often a process looks whether
 * it has missed one (ms), how far another machine's clock may be ahead (ms).
 */
export const sharedCache = {
  answerBytes: 512 * 1024,
  purges: 200,
  lookEvery: 2 * SECOND,
  clockSkew: 60 * SECOND,
} as const
/** A request target longer than this is answered 414; ids, tags, names longer than that name nothing (decisions 10). */
export const limits = {
  pageLength: 2048,
  targetBytes: 8 * 1024,
  headerBytes: 16 * 1024,
  nameLength: 64,
  bodyBytes: 64 * 1024,
  jsonDepth: 32,
  headersTimeout: 10 * SECOND,
  requestTimeout: 30 * SECOND,
  idleTimeout: 60 * SECOND,
} as const
/** Requests are counted by the minute (s); a Redis that does not answer costs one request this long (ms), and is asked again that often. */
export const rates = { window: 60, redisTimeout: 100, redisProbe: 2 * SECOND } as const
/**
 * The operator's backend (decisions 10): connection, first byte, and the whole of an answer that is held back until it is complete (ms); bytes that are
 * held back at most; silence in an answer that streams (ms). `budget` is for reads by the server itself, all attempts together.
 */
export const upstream = {
  connectTimeout: 1 * SECOND,
  firstByteTimeout: 3 * SECOND,
  answerTimeout: 3.1 * SECOND,
  heldBytes: 64 * 1024,
  silence: 30 * SECOND,
  budget: 2 * SECOND,
  refreshEvery: 60 * SECOND,
  refreshAfterFailure: 10 * SECOND,
} as const
/** Articles on a page of a list. */
export const listPageSize = 12

/** Sign-in (ms): how long a nonce and a one-time token live. */
export const signIn = { nonceLife: 600 * SECOND, tokenLife: 60 * SECOND } as const
/** Hybrid envelope (decisions 6): AES-256-GCM under RSA-OAEP; lengths in bytes, the key pair in bits, key pairs that are good at once. */
export const envelope = { keyBytes: 32, ivBytes: 12, tagBytes: 16, rsaBits: 2048, keys: 3 } as const
/** Analytics batch: plain text (bytes), and the size of the encoded form at which the client splits. */
export const batch = { plainBytes: 40 * 1024, encodedBytes: 56 * 1024 } as const
/** How long raw events and fingerprints are kept (days); rows deleted at once. */
export const retention = { eventDays: 90, fingerprintDays: 30, portion: 5000 } as const
/** Longest values of API fields: characters, `data` and `base` of a fingerprint in bytes. */
export const fields = {
  source: 512,
  referralCode: 64,
  message: 4000,
  name: 100,
  email: 254,
  fingerprintBytes: 16 * 1024,
} as const
/** The picture a page is shared with (px), how many bytes of them are kept on disk, and how many may wait to be made. */
export const socialPicture = {
  width: 1200,
  height: 630,
  diskBytes: 200 * 1024 * 1024,
  waiting: 32,
} as const
/** What `check:content` takes: letters of a description (`Dense`: Chinese, Japanese), days after which a fact about others is to be checked again. */
export const contentChecks = { description: 160, descriptionDense: 80, factDays: 180 } as const
/** Sitemaps: addresses in one part (decisions 9). Feeds: entries of one feed, newest first. */
export const sitemaps = { partSize: 10_000 } as const
export const feeds = { entries: 30 } as const
/** Site search (decisions 9): query in characters, hits in one answer, pause while typing before it asks (ms), searches that are remembered. */
export const search = {
  queryLength: 200,
  hits: 20,
  mostHits: 100,
  typingPause: 150,
  remembered: 5,
} as const
