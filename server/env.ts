import { join, resolve } from 'node:path'
import { z } from 'zod'
import {
  acceptedPrivateKey,
  chatScript,
  flag,
  hosts,
  hostsWithPort,
  indexNowKey,
  matching,
  nonEmpty,
  operational,
  optionalIpAddress,
  optionalOrigin,
  optionalOriginWithPath,
  optionalPrivateKey,
  optionalText,
  optionalToken,
  optionalPublicKey,
  optionalUrl,
  pathOrUrl,
  perMinute,
  port,
  url,
  wholeNumber,
  type IsPrivateKey,
} from '../shared/setting-schemas'

/**
 * The settings by group (spec 2). A setting is one row: what it accepts, `prefault` with its
 * default as text, and a description of one line. `describe` is for settings that enter pages or
 * answers: a change discards cached pages. `meta(operational(…))` is for the others. After a change
 * `npm run settings` writes `.env.example` and the table in `docs/operations.md`.
 */
export const settingGroups = {
  Listening: {
    PORT: port.prefault('3000').meta(operational('Port to listen on. 0 takes a free port.')),
    HOST: nonEmpty('an address to listen on')
      .prefault('0.0.0.0')
      .meta(operational('Address to listen on.')),
    TRUST_PROXY: wholeNumber(0, 16, 'a whole number from 0 to 16')
      .prefault('0')
      .meta(operational('Number of proxies in front of the site. 0 ignores `X-Forwarded-*`.')),
  },
  'Hosts and languages': {
    SITE_URL_EN: optionalOrigin
      .prefault('')
      .describe('Origin of the en host. Absolute URLs use it. Empty: `http://localhost:PORT`.'),
    SITE_URL_ZH: optionalOrigin
      .prefault('')
      .describe('Origin of the zh host. Empty: `http://zh.localhost:PORT`.'),
    SITE_URL_RU: optionalOrigin
      .prefault('')
      .describe('Origin of the ru host. Empty: `http://ru.localhost:PORT`.'),
    ZH_HOSTS: hosts
      .prefault('')
      .describe('Further host names that force zh, separated by commas, without port.'),
    RU_HOSTS: hosts.prefault('').describe('Further host names that force ru.'),
    LOCALE_NEGOTIATION: z
      .enum(['root', 'unprefixed', 'off'], 'root, unprefixed or off')
      .prefault('root')
      .describe('Paths of the en host that choose a language: `root`, `unprefixed` or `off`.'),
    COOKIE_DOMAIN: matching(/^\.?[a-z0-9.-]*$/i, 'a domain')
      .prefault('')
      .describe('Domain of the cookies, to share them between the three hosts.'),
  },
  Storage: {
    DATABASE_URL: matching(/^(file:.+|postgres(ql)?:\/\/.+)?$/, 'file:… or postgres://…')
      .prefault('')
      .meta(operational('`file:…` (SQLite) or `postgres://…`. Empty: `file:DATA_DIR/site.db`.')),
    REDIS_URL: matching(/^(rediss?:\/\/.+)?$/, 'empty, or redis://… or rediss://…')
      .prefault('')
      .meta(operational('Shares pages, purges and limits between machines. Private network only.')),
    DATA_DIR: nonEmpty('a folder')
      .prefault('./data')
      .meta(operational('Folder that the site writes to.')),
    CONTENT_DIR: nonEmpty('a folder')
      .prefault('./content')
      .meta(operational('Folder that authors write to.')),
  },
  Backend: {
    API_UPSTREAM: optionalOriginWithPath
      .prefault('')
      .describe('Origin of the backend, with an optional path. Empty: the embedded API.'),
    AUTH_ORIGIN: optionalOrigin
      .prefault('')
      .describe('Origin of the sign-in service. Empty: same origin, under `/api`.'),
    UPSTREAM_SIGNIN: z
      .enum(['full', 'spec'], 'full or spec')
      .prefault('full')
      .describe('`spec`: the backend has neither the nonce call nor the public-key call.'),
    UPSTREAM_PUBLIC_KEY: optionalPublicKey
      .prefault('')
      .describe(
        'Public key of a backend without the public-key call: SPKI, base64 of the DER form.',
      ),
  },
  'Sign-in': {
    APP_URL: pathOrUrl
      .prefault('/app')
      .describe('Application that a signed-in visitor is sent to: a path or a URL.'),
    GOOGLE_CLIENT_ID: matching(/^[\w.-]*$/, 'a client id')
      .prefault('')
      .describe('Client id of the one-tap sign-in. Empty: no prompt.'),
    GSI_SCRIPT_URL: url
      .prefault('https://accounts.google.com/gsi/client')
      .describe('Script of the identity provider.'),
    ID_TOKEN_ISSUER: url
      .prefault('https://accounts.google.com')
      .describe('Issuer of identity tokens.'),
    ID_TOKEN_JWKS_URL: url
      .prefault('https://www.googleapis.com/oauth2/v3/certs')
      .describe('Public keys that verify identity tokens.'),
    AUTH_PRIVATE_KEY: optionalPrivateKey
      .prefault('')
      .meta(operational('RSA key (PEM, 2048 bits or more). Empty: created in the database.')),
  },
  'Chat and images': {
    DEFAULT_CHAT_SCRIPT: chatScript
      .prefault('')
      .describe('https URL ending in `.js`, loaded when chat configuration fails.'),
    CHAT_SKIP_IP: optionalIpAddress
      .prefault('')
      .describe('IP address for which chat configuration is skipped.'),
    IMAGE_HOSTS: hostsWithPort
      .prefault('')
      .describe('Public hosts that the image proxy may fetch from: `a.example, b.example:8443`.'),
  },
  'Page cache': {
    PAGE_CACHE_TTL_MS: wholeNumber(0, 2_147_483_647, 'milliseconds, a whole number')
      .prefault('3600000')
      .meta(operational('Lifetime of an entry, in milliseconds.')),
    PAGE_CACHE_MAX_MB: wholeNumber(0, 65_536, 'megabytes, a whole number; 0 = no page cache')
      .prefault('256')
      .meta(operational('Size in megabytes. 0: no page cache.')),
    PAGE_WARMING: flag('on', 'off')
      .prefault('on')
      .meta(operational('`off`: no page is rendered before it is requested.')),
    CDN_MAX_AGE: wholeNumber(0, 31_536_000, 'seconds, a whole number')
      .prefault('60')
      .describe('`s-maxage` of pages, in seconds.'),
    CDN_TAGS: flag('on', 'off')
      .prefault('off')
      .describe('`on`: pages carry `Cache-Tag` headers, for a CDN that is purged by tag.'),
  },
  'Rate limits (requests per minute and address; 0: no limit)': {
    RATE_SIGNIN: perMinute
      .prefault('10')
      .meta(operational('Sign-in and redeem; wrong `OPS_TOKEN`.')),
    RATE_EVENTS: perMinute.prefault('300').meta(operational('Analytics events.')),
    RATE_MESSAGES: perMinute.prefault('5').meta(operational('Messages.')),
    RATE_VISITOR: perMinute
      .prefault('300')
      .meta(operational('Traffic sources, fingerprints, web vitals and votes.')),
    RATE_SEARCH: perMinute.prefault('60').meta(operational('Searches.')),
    RATE_MISS: perMinute
      .prefault('1200')
      .meta(operational('Pages, sitemaps, feeds and sharing pictures that must be made.')),
    RATE_OTHER: perMinute.prefault('1200').meta(operational('All other API calls.')),
  },
  Operations: {
    INDEXING: flag('on', 'off').prefault('on').describe('`off` on staging: no page is indexed.'),
    INDEXNOW_KEY: indexNowKey.prefault('').meta(operational('IndexNow key: `/{key}.txt`.')),
    INDEXNOW_ENDPOINT: optionalUrl
      .prefault('')
      .meta(operational('Address that changed URLs are announced to. Empty: none are.')),
    BENCH_PAGES: flag('1', '0').prefault('0').describe("`1` adds the benchmark's pages."),
    OPS_TOKEN: optionalToken
      .prefault('')
      .meta(
        operational('Bearer token of `/_ops/*`, 24 characters or more. Empty: `/_ops/*` is 404.'),
      ),
    GEOIP_DB: optionalText.meta(
      operational("City database in MaxMind's format. Empty: the built-in table of countries."),
    ),
    LOG_LEVEL: z
      .enum(
        ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
        'a pino level: fatal, error, warn, info, debug, trace or silent',
      )
      .prefault('info')
      .meta(operational('`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.')),
    LOG_FILE: optionalText.meta(
      operational('File to append log lines to. Empty: standard output.'),
    ),
  },
  // OpenTelemetry reads its other variables itself (server/telemetry/start-tracing.ts).
  'Traces (other OTEL_… variables apply too)': {
    OTEL_EXPORTER_OTLP_ENDPOINT: optionalUrl
      .prefault('')
      .meta(operational('Collector (OTLP over HTTP, usually port 4318). Empty: no traces.')),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optionalUrl
      .prefault('')
      .meta(operational('The full URL, where traces have a separate one.')),
    OTEL_SDK_DISABLED: flag('true', 'false')
      .prefault('false')
      .meta(operational('`true` turns traces off.')),
  },
} as const

const schema = z.object({
  ...settingGroups.Listening,
  ...settingGroups['Hosts and languages'],
  ...settingGroups.Storage,
  ...settingGroups.Backend,
  ...settingGroups['Sign-in'],
  ...settingGroups['Chat and images'],
  ...settingGroups['Page cache'],
  ...settingGroups['Rate limits (requests per minute and address; 0: no limit)'],
  ...settingGroups.Operations,
  ...settingGroups['Traces (other OTEL_… variables apply too)'],
})

export type Settings = z.infer<typeof schema>

/** Settings whose values are part of pages or answers, or change them. */
export const settingsInPages: ReadonlySet<string> = new Set(
  Object.entries(schema.shape)
    .filter(([, row]) => row.meta()?.['entersPages'] !== false)
    .map(([name]) => name),
)

/** A bad setting. The message is one line: the variable, its value and what is accepted. */
export class SettingsError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads settings from an environment. An empty variable counts as absent. Relative folders are
 * relative to `root`. Without `isPrivateKey` only the first line of a key is checked.
 */
export function readSettings(
  environment: Environment,
  root: string,
  isPrivateKey: IsPrivateKey = () => true,
): Settings {
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value))
  const result = schema.safeParse(present)
  if (!result.success) {
    const [issue] = result.error.issues
    throw notAccepted(String(issue?.path[0]), environment, issue?.message)
  }
  const settings = result.data
  if (settings.AUTH_PRIVATE_KEY && !isPrivateKey(settings.AUTH_PRIVATE_KEY))
    throw notAccepted('AUTH_PRIVATE_KEY', environment, acceptedPrivateKey)
  const dataDir = resolve(root, settings.DATA_DIR)
  return {
    ...settings,
    DATA_DIR: dataDir,
    CONTENT_DIR: resolve(root, settings.CONTENT_DIR),
    GEOIP_DB: settings.GEOIP_DB && resolve(root, settings.GEOIP_DB),
    LOG_FILE: settings.LOG_FILE && resolve(root, settings.LOG_FILE),
    DATABASE_URL: absoluteDatabaseUrl(settings.DATABASE_URL, dataDir, root),
  }
}

/** Reads the settings of this process. Only this file reads `process.env`. */
export const readProcessSettings = (root: string, isPrivateKey?: IsPrivateKey): Settings =>
  readSettings(process.env, root, isPrivateKey)

/**
 * Whether this process runs in the image of deploy/Dockerfile, which sets this variable. `oci` is a
 * value that systemd and container managers use for it.
 */
export const isContainer = (environment: Environment = process.env): boolean =>
  environment['container'] === 'oci'

/** Settings that are, or may contain, a secret: no message shows their values. */
const secretSettings = ['AUTH_PRIVATE_KEY', 'DATABASE_URL', 'OPS_TOKEN', 'REDIS_URL']

function notAccepted(name: string, environment: Environment, accepted = ''): SettingsError {
  const value = secretSettings.includes(name) ? '(hidden)' : JSON.stringify(environment[name])
  return new SettingsError(`${name}=${value} is not accepted: ${accepted}`)
}

/**
 * Makes the path of a file absolute: `file:data/site.db` and `file:///srv/site.db` are accepted.
 */
function absoluteDatabaseUrl(databaseUrl: string, dataDir: string, root: string): string {
  if (!databaseUrl) return `file:${join(dataDir, 'site.db')}`
  if (!databaseUrl.startsWith('file:')) return databaseUrl
  return `file:${resolve(root, databaseUrl.slice('file:'.length).replace(/^\/{2,}/, '/'))}`
}
