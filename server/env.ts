import { join, resolve } from 'node:path'
import { z } from 'zod'
import { envelope } from '../shared/constants'

/** The only reader of `process.env` (decisions 2). Every setting is checked once at start; `.env.example` explains them. */

const whole = (min: number, max: number, what: string) =>
  z
    .string()
    .regex(/^\d+$/, what)
    .transform(Number)
    .refine((value) => value >= min && value <= max, what)
const port = whole(0, 65535, 'a whole number from 0 to 65535')
const perMinute = whole(1, 1_000_000, 'a whole number from 1 to 1000000')
const origin = z
  .string()
  .refine(isOrigin, 'an http or https origin without path, such as https://www.example.com')
  .transform((value) => new URL(value).origin)
const originOrEmpty = z.union(
  [z.literal(''), origin],
  'empty, or an http or https origin without path',
)
const webAddress = z
  .string()
  .refine((value) => /^https?:$/.test(protocolOf(value)), 'an http or https address')
const upstream = z.union(
  [
    z.literal(''),
    webAddress
      .refine((value) => !/[?#]/.test(value), 'no query')
      .transform((value) => value.replace(/\/+$/, '')),
  ],
  'empty, or an http or https origin with an optional path',
)
const hostList = z
  .string()
  .transform((value) =>
    value
      .split(',')
      .map((host) => host.trim().toLowerCase())
      .filter(Boolean),
  )
  .refine(
    (hosts) => hosts.every((host) => /^[a-z0-9.-]+$/.test(host)),
    'host names without port, separated by commas',
  )
const imageHosts = z
  .string()
  .transform((value) =>
    value
      .split(',')
      .map((host) => host.trim().toLowerCase())
      .filter(Boolean),
  )
  .refine(
    (hosts) => hosts.every((host) => /^[a-z0-9.-]+(?::\d{1,5})?$/.test(host)),
    'host names, with a port where it is not 80 or 443, separated by commas',
  )
const onOff = z.enum(['on', 'off'], 'on or off').transform((value) => value === 'on')
const strongKey = `empty, or an RSA private key of at least ${envelope.rsaBits} bits in PEM form`
const optional = <T extends z.ZodType>(schema: T, what: string) =>
  z.union([z.literal(''), schema], what)

const schema = z.object({
  PORT: port.default(3000),
  HOST: z.string().min(1, 'an address to listen on').default('0.0.0.0'),
  SITE_URL_EN: originOrEmpty.default(''),
  SITE_URL_ZH: originOrEmpty.default(''),
  SITE_URL_RU: originOrEmpty.default(''),
  ZH_HOSTS: hostList.default([]),
  RU_HOSTS: hostList.default([]),
  LOCALE_NEGOTIATION: z
    .enum(['root', 'unprefixed', 'off'], 'root, unprefixed or off')
    .default('root'),
  TRUST_PROXY: whole(0, 16, 'a whole number from 0 to 16').default(0),
  API_UPSTREAM: upstream.default(''),
  AUTH_ORIGIN: originOrEmpty.default(''),
  DATABASE_URL: z
    .string()
    .regex(/^(file:.+|postgres(ql)?:\/\/.+)?$/, 'file:… or postgres://…')
    .default(''),
  REDIS_URL: z
    .string()
    .regex(/^(rediss?:\/\/.+)?$/, 'empty, or redis://… or rediss://…')
    .default(''),
  DATA_DIR: z.string().min(1, 'a folder').default('./data'),
  CONTENT_DIR: z.string().min(1, 'a folder').default('./content'),
  APP_URL: z
    .string()
    .refine(
      (value) => /^\/(?![/\\])/.test(value) || /^https?:$/.test(protocolOf(value)),
      'a path of this site, or an http or https address',
    )
    .default('/app'),
  GOOGLE_CLIENT_ID: z
    .string()
    .regex(/^[\w.-]*$/, 'a client id')
    .default(''),
  GSI_SCRIPT_URL: webAddress.default('https://accounts.google.com/gsi/client'),
  ID_TOKEN_ISSUER: webAddress.default('https://accounts.google.com'),
  ID_TOKEN_JWKS_URL: webAddress.default('https://www.googleapis.com/oauth2/v3/certs'),
  AUTH_PRIVATE_KEY: z
    .string()
    .refine((value) => value === '' || value.startsWith('-----BEGIN '), strongKey)
    .default(''),
  DEFAULT_CHAT_SCRIPT: optional(
    z.string().regex(/^https:\/\/[^\s?#]+\.js$/),
    'empty, or an https address ending in .js',
  ).default(''),
  CHAT_SKIP_IP: optional(z.union([z.ipv4(), z.ipv6()]), 'empty, or one IP address').default(''),
  IMAGE_HOSTS: imageHosts.default([]),
  PAGE_CACHE_TTL_MS: whole(0, 2_147_483_647, 'milliseconds, a whole number').default(3_600_000),
  PAGE_CACHE_MAX_MB: whole(0, 65_536, 'megabytes, a whole number; 0 = no page cache').default(256),
  CDN_MAX_AGE: whole(0, 31_536_000, 'seconds, a whole number').default(60),
  CDN_TAGS: onOff.default(false),
  COOKIE_DOMAIN: z
    .string()
    .regex(/^\.?[a-z0-9.-]*$/i, 'a domain')
    .default(''),
  RATE_SIGNIN: perMinute.default(10),
  RATE_EVENTS: perMinute.default(300),
  RATE_MESSAGES: perMinute.default(5),
  RATE_OTHER: perMinute.default(1200),
  INDEXING: onOff.default(true),
  BENCH_PAGES: z
    .enum(['0', '1'], '0 or 1')
    .transform((value) => value === '1')
    .default(false),
  OPS_TOKEN: z.string().default(''),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'a pino level: fatal, error, warn, info, debug, trace or silent',
    )
    .default('info'),
  LOG_FILE: z.string().default(''),
  // What else there is of this family is read by OpenTelemetry itself (server/telemetry/start-tracing.ts).
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(webAddress, 'empty, or an http or https address').default(
    '',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional(
    webAddress,
    'empty, or an http or https address',
  ).default(''),
  OTEL_SDK_DISABLED: z
    .enum(['true', 'false'], 'true or false')
    .transform((value) => value === 'true')
    .default(false),
})

export type Settings = z.infer<typeof schema>
export const settingNames = Object.keys(schema.shape)

function protocolOf(value: string): string {
  return URL.canParse(value) ? new URL(value).protocol : ''
}
function isOrigin(value: string): boolean {
  return /^https?:$/.test(protocolOf(value)) && /^https?:\/\/[^/?#@\\]+\/?$/i.test(value)
}

/** One bad setting: the variable, its value and what is accepted. */
export class SettingsError extends Error {}

/** Whether a text is an RSA private key of the required size. Handed in, because this file imports no other room. */
export type IsPrivateKey = (pem: string) => boolean

/**
 * Settings from an environment. An empty variable counts as absent; relative folders start at the project's folder.
 * Throws a SettingsError whose message is one line for people. Without `isPrivateKey` a key is checked by its first line.
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  root: string,
  isPrivateKey: IsPrivateKey = () => true,
): Settings {
  const given = Object.fromEntries(
    settingNames.filter((name) => environment[name]).map((name) => [name, environment[name]]),
  )
  const result = schema.safeParse(given)
  if (!result.success) {
    const [issue] = result.error.issues
    throw notAccepted(String(issue?.path[0]), environment, issue?.message)
  }
  const settings = result.data
  if (settings.AUTH_PRIVATE_KEY && !isPrivateKey(settings.AUTH_PRIVATE_KEY))
    throw notAccepted('AUTH_PRIVATE_KEY', environment, strongKey)
  const DATA_DIR = resolve(root, settings.DATA_DIR)
  return {
    ...settings,
    DATA_DIR,
    CONTENT_DIR: resolve(root, settings.CONTENT_DIR),
    LOG_FILE: settings.LOG_FILE && resolve(root, settings.LOG_FILE),
    DATABASE_URL: databaseUrl(settings.DATABASE_URL, DATA_DIR, root),
  }
}

/** Values that may hold a secret are not shown. */
function notAccepted(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
  accepted = '',
): SettingsError {
  const shown = /KEY|TOKEN|DATABASE_URL|REDIS_URL/.test(name)
    ? '(hidden)'
    : JSON.stringify(environment[name])
  return new SettingsError(`${name}=${shown} is not accepted: ${accepted}`)
}

/** `file:` with an absolute path, or as given: `file:data/site.db`, `file:///srv/site.db`. */
function databaseUrl(given: string, dataDir: string, root: string): string {
  if (!given) return `file:${join(dataDir, 'site.db')}`
  return given.startsWith('file:')
    ? `file:${resolve(root, given.slice('file:'.length).replace(/^\/{2,}/, '/'))}`
    : given
}

/** Settings of this process. */
export const processSettings = (root: string, isPrivateKey?: IsPrivateKey): Settings =>
  readSettings(process.env, root, isPrivateKey)
