/**
 * Calls of the embedded API and their responses, one row per behavior. The table runs against a
 * site and, through the proxy, against a second one. A row with `msg` also checks that the message
 * of the error names the field.
 */
import { expect } from '@jest/globals'
import type { ApiInput } from '../../testing/call-api'

type ApiCase = ApiInput & {
  title: string
  path: string
  method?: string
  status: number
  /** `Cache-Control`, where it is not `no-store`. */
  caching?: string
  data?: unknown
  msg?: RegExp
  allow?: string
}

const form = (fields: Record<string, string>): { form: Record<string, string> } => ({
  form: fields,
})
const sourceData = JSON.stringify({
  page_url: 'http://localhost/es/?utm_source=mail',
  source: 'mail',
  callback: '',
  utm_source: 'mail',
  utm_medium: 'email',
  utm_term: '',
  utm_content: 'button',
  utm_campaign: 'spring',
  bd_vid: '',
})
const message = {
  name: 'Ada',
  email: 'ada@example.com',
  message: 'Do you have a Linux version?',
  locale: 'es',
  page: '/es/download',
}
const nestedJson = (levels: number): string =>
  `{"name":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
/** JSON text of so many bytes. */
const jsonOf = (bytes: number): string => JSON.stringify('x'.repeat(bytes - 2))
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const fingerprint = {
  log_type: 'canvas_v1',
  data: '{"screen":"1920x1080"}',
  base_encode: base64('{"canvas":"a1b2"}'),
}

export const apiCases: readonly ApiCase[] = [
  // Signing in is tested in sign-in.test.ts. Here no identity provider is set.
  {
    title: 'a sign-in without a credential',
    path: '/sys/user/passport/authorized-login',
    ...form({ third_party: 'google', third_party_action_type: 'one_tap' }),
    status: 400,
  },
  {
    title: 'a sign-in that would lead to another site',
    path: '/sys/user/passport/authorized-login',
    ...form({
      third_party: 'google',
      third_party_action_type: 'one_tap',
      redirect_data: 'https://evil.example/',
    }),
    status: 400,
  },
  {
    title: 'returns the public key',
    path: '/sys/config/public-key',
    status: 200,
    data: {
      alg: 'RSA-OAEP-256',
      kid: expect.stringMatching(/^[0-9a-f]{16}$/),
      spki: expect.stringMatching(/^MII[\w+/]+=*$/),
    },
  },
  {
    title: 'issues a nonce for ten minutes',
    path: '/sys/user/passport/nonce',
    status: 200,
    data: { nonce: expect.stringMatching(/^[\w.-]{40,}$/), expires_in: 600 },
  },

  {
    title: 'counts a referral code',
    path: '/sys/config/ref/set?c_v=Abc_1-2',
    headers: { cookie: 'device_id=device-number-1' },
    status: 200,
    data: { counted: true },
  },
  {
    title: 'counts it once per device',
    path: '/sys/config/ref/set?c_v=Abc_1-2',
    headers: { cookie: 'device_id=device-number-1' },
    status: 200,
    data: { counted: false },
  },
  {
    title: 'counts it for another device',
    path: '/sys/config/ref/set?c_v=Abc_1-2',
    headers: { cookie: 'device_id=device-number-2' },
    status: 200,
    data: { counted: true },
  },
  {
    title: 'accepts a code of 64 characters',
    path: `/sys/config/ref/set?c_v=${'a'.repeat(64)}`,
    headers: { cookie: 'device_id=device-number-1' },
    status: 200,
    data: { counted: true },
  },
  {
    title: 'counts a code without a device',
    path: '/sys/config/ref/set?c_v=no-device',
    status: 200,
    data: { counted: true },
  },
  {
    title: 'counts it once a day without a device',
    path: '/sys/config/ref/set?c_v=no-device',
    status: 200,
    data: { counted: false },
  },
  {
    title: 'counts a referral code with Global Privacy Control',
    path: '/sys/config/ref/set?c_v=private',
    headers: { 'sec-gpc': '1', cookie: 'consent=refused; device_id=device-number-3' },
    status: 200,
    data: { counted: true },
  },
  {
    title: 'ignores unknown fields',
    path: '/sys/config/chat-type?lang=en-US&type=www&unknown=1&unknown2=',
    status: 200,
  },
  ...['', 'a'.repeat(65), 'a%20b', 'a%00', '%C3%A9', 'a/b'].map((code): ApiCase => ({
    title: `refuses the code "${code.slice(0, 10)}"`,
    path: `/sys/config/ref/set?c_v=${code}`,
    status: 400,
    msg: /^c_v: /,
  })),
  { title: 'refuses a missing code', path: '/sys/config/ref/set', status: 400, msg: /^c_v: / },
  {
    title: 'refuses a repeated field',
    path: '/sys/config/ref/set?c_v=a&c_v=b',
    status: 400,
    msg: /^c_v: given twice/,
  },

  {
    title: 'records a source',
    path: '/sys/user/passport/record-source',
    ...form({ referer: 'https://example.org/', source_data: sourceData }),
    status: 200,
    data: null,
  },
  {
    title: 'refuses source data that is not JSON',
    path: '/sys/user/passport/record-source',
    ...form({ referer: '', source_data: '{' }),
    status: 400,
    msg: /^source_data: /,
  },
  {
    title: 'refuses a field of the source data that is too long',
    path: '/sys/user/passport/record-source',
    ...form({ source_data: JSON.stringify({ utm_term: 'x'.repeat(513) }) }),
    status: 400,
    msg: /^source_data\.utm_term: at most 512/,
  },
  {
    title: 'refuses a field of the source data with a line break',
    path: '/sys/user/passport/record-source',
    ...form({ source_data: JSON.stringify({ utm_term: 'a\nb' }) }),
    status: 400,
    msg: /^source_data\.utm_term: /,
  },
  {
    title: 'accepts 512 characters',
    path: '/sys/user/passport/record-source',
    ...form({ source_data: JSON.stringify({ utm_term: 'x'.repeat(512) }) }),
    status: 200,
  },

  {
    title: 'returns what is known of the visitor',
    path: '/sys/config/ip/get-visitor-ip',
    headers: { 'user-agent': 'Test/1.0', 'accept-language': 'de;q=0.5, pt-BR' },
    status: 200,
    data: {
      ip: expect.stringMatching(/^[\d.:a-f]+$/),
      ua: 'Test/1.0',
      language: 'pt-BR',
      ip_data: {
        timezone: 'America/Chicago',
        country: 'US',
        region: 'Illinois',
        city: 'Chicago',
      },
    },
  },

  {
    title: 'stores a fingerprint',
    path: '/client/record-data/log',
    ...form(fingerprint),
    status: 200,
    data: { stored: true },
  },
  {
    title: 'stores no fingerprint with Global Privacy Control',
    path: '/client/record-data/log',
    ...form(fingerprint),
    headers: { 'sec-gpc': '1' },
    status: 200,
    data: { stored: false },
  },
  {
    title: 'stores no fingerprint after a refusal',
    path: '/client/record-data/log',
    ...form(fingerprint),
    headers: { cookie: 'consent=refused' },
    status: 200,
    data: { stored: false },
  },
  {
    title: 'refuses a malformed kind of log',
    path: '/client/record-data/log',
    ...form({ ...fingerprint, log_type: 'Canvas!' }),
    status: 400,
    msg: /^log_type: /,
  },
  {
    title: 'refuses data that is not JSON',
    path: '/client/record-data/log',
    ...form({ ...fingerprint, data: 'x' }),
    status: 400,
    msg: /^data: /,
  },
  {
    title: 'refuses data that is too large',
    path: '/client/record-data/log',
    ...form({ ...fingerprint, data: jsonOf(2049) }),
    status: 400,
    msg: /^data: at most 2048 bytes/,
  },
  {
    title: 'refuses base64 that decodes to too much',
    path: '/client/record-data/log',
    ...form({ ...fingerprint, base_encode: base64(jsonOf(2049)) }),
    status: 400,
    msg: /^base_encode: at most 2048 bytes/,
  },
  {
    title: 'stores 2 KiB of each',
    path: '/client/record-data/log',
    ...form({ ...fingerprint, data: jsonOf(2048), base_encode: base64(jsonOf(2048)) }),
    status: 200,
    data: { stored: true },
  },
  {
    title: 'refuses base64 that does not decode to JSON',
    path: '/client/record-data/log',
    ...form({ ...fingerprint, base_encode: 'AAAA' }),
    status: 400,
    msg: /^base_encode: /,
  },

  {
    title: 'stores web vitals',
    path: '/site/vitals',
    json: { route: 'home', locale: 'pt-PT', lcp: 1234.5, inp: 80, cls: 0.0123, fcp: 900, ttfb: 40 },
    status: 200,
    data: { stored: true },
  },
  {
    title: 'stores a single web vital',
    path: '/site/vitals',
    json: { route: 'blog-article', locale: 'zh', cls: 0 },
    status: 200,
    data: { stored: true },
  },
  {
    title: 'stores nothing without a web vital',
    path: '/site/vitals',
    json: { route: 'home', locale: 'en' },
    status: 200,
    data: { stored: false },
  },
  ...[{ 'sec-gpc': '1' }, { cookie: 'consent=refused' }].map((headers): ApiCase => ({
    title: `stores no web vitals with ${Object.keys(headers).join()}`,
    path: '/site/vitals',
    json: { route: 'home', locale: 'en', lcp: 1 },
    headers,
    status: 200,
    data: { stored: false },
  })),
  ...(
    [
      ['route', 'nowhere'],
      ['locale', 'xx'],
      ['lcp', -1],
      ['lcp', 600_001],
      ['inp', '80'],
      ['cls', 101],
      ['cls', null],
      ['fcp', 1e300],
      ['ttfb', true],
    ] as const
  ).map(([name, value]): ApiCase => ({
    title: `refuses ${JSON.stringify(value)} as ${name} of web vitals`,
    path: '/site/vitals',
    json: { route: 'home', locale: 'en', lcp: 1, [name]: value },
    status: 400,
    msg: new RegExp(`^${name}: `),
  })),

  {
    title: 'returns base info',
    path: '/home/base-info?lang=es-ES&type=home',
    status: 200,
    data: {
      register_url: '/app/register',
      login_url: '/app/login',
      title: expect.stringContaining(': '),
      keywords: expect.any(String),
      description: expect.any(String),
      statistical_body: '',
      statistical_title: '',
    },
  },
  ...['it-IT', 'id-ID', 'zh-HK', 'vn', 'vi-VN'].map((lang): ApiCase => ({
    title: `accepts the language ${lang}`,
    path: `/home/base-info?lang=${lang}&type=home`,
    status: 200,
  })),
  {
    title: 'refuses an unknown language',
    path: '/home/base-info?lang=xx-XX&type=home',
    status: 400,
    msg: /^lang: /,
  },
  {
    title: 'refuses an unknown type',
    path: '/home/base-info?lang=en-US&type=away',
    status: 400,
    msg: /^type: /,
  },
  {
    title: 'returns the chat configuration',
    path: '/sys/config/chat-type?lang=en-US&type=www',
    status: 200,
    data: { chat: 'other', chat_info: { js: '' } },
  },
  {
    title: 'returns the chat configuration without parameters',
    path: '/sys/config/chat-type',
    status: 200,
    data: { chat: 'other', chat_info: { js: '' } },
  },
  {
    title: 'chooses a chat provider',
    path: '/third/chat/choose?ip=8.8.8.8&lang=zh',
    status: 200,
    data: { type: 'other' },
  },
  {
    title: 'refuses a malformed IP address',
    path: '/third/chat/choose?ip=8.8.8&lang=zh',
    status: 400,
    msg: /^ip: /,
  },

  {
    title: 'returns the newest client',
    path: '/client/sys-client-version/get-latest-version?system=com_win64',
    status: 200,
    data: {
      url: expect.stringMatching(/^http:\/\/localhost:\d+\/downloads\/[\w./-]+$/),
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      size: expect.any(Number),
    },
  },
  {
    title: 'has no Linux client',
    path: '/client/sys-client-version/get-latest-version?system=com_linux',
    status: 404,
  },
  {
    title: 'refuses an unknown system',
    path: '/client/sys-client-version/get-latest-version?system=com_amiga',
    status: 400,
    msg: /^system: /,
  },

  { title: 'stores a message', path: '/site/message', json: message, status: 200, data: null },
  {
    title: 'accepts 4,000 characters, counted by code point',
    path: '/site/message',
    json: { ...message, message: '𝔸'.repeat(4000) },
    status: 200,
  },
  {
    title: 'refuses 4,001 characters',
    path: '/site/message',
    json: { ...message, message: 'a'.repeat(4001) },
    status: 400,
    msg: /^message: /,
  },
  {
    title: 'refuses an empty message',
    path: '/site/message',
    json: { ...message, message: ' \n ' },
    status: 400,
    msg: /^message: /,
  },
  {
    title: 'refuses a malformed e-mail address',
    path: '/site/message',
    json: { ...message, email: 'ada' },
    status: 400,
    msg: /^email: /,
  },
  {
    title: 'refuses a line break in a name',
    path: '/site/message',
    json: { ...message, name: 'Ada\r\nBcc: x' },
    status: 400,
    msg: /^name: /,
  },
  {
    title: 'refuses a script URL as page',
    path: '/site/message',
    json: { ...message, page: 'javascript:alert(1)' },
    status: 400,
    msg: /^page: /,
  },
  {
    title: 'refuses a field of another type',
    path: '/site/message',
    json: { ...message, message: { $gt: '' } },
    status: 400,
    msg: /^message: /,
  },
  {
    title: 'stores a vote',
    path: '/site/helpful',
    json: { page: '/docs/profiles', locale: 'en', helpful: true },
    status: 200,
    data: null,
  },
  {
    title: 'refuses a vote that is not a boolean',
    path: '/site/helpful',
    json: { page: '/docs/profiles', locale: 'en', helpful: 'yes' },
    status: 400,
    msg: /^helpful: /,
  },

  // Cacheable responses are tested with what they serve. Here: how each call handles a bad field.
  {
    title: 'refuses an unknown language for the 404 page',
    path: '/site/missing?lang=xx',
    status: 400,
    msg: /^lang: /,
  },
  { title: 'refuses an empty search', path: '/site/search?q=&lang=en', status: 400, msg: /^q: / },
  {
    title: 'tells which scripts of other sites a page loads',
    path: '/site/visitor-settings?lang=es',
    status: 200,
    caching: 'public, max-age=60',
    data: {
      consentCountries: expect.arrayContaining(['DE']),
      publicKey: '',
      oneTap: null,
      chat: { defaultScript: '', skipIp: '' },
      statistics: { head: [], body: [], pixels: [] },
    },
  },
  {
    title: 'refuses an unknown name of texts',
    path: '/site/texts?lang=en&name=home',
    status: 400,
    msg: /^name: /,
  },
  {
    title: 'refuses an unknown language for the offer',
    path: '/site/offer?lang=xx',
    status: 400,
    msg: /^lang: /,
  },
  {
    title: 'refuses a path without a slash',
    path: '/site/redirect?path=pricing&lang=en',
    status: 400,
    msg: /^path: /,
  },

  {
    title: 'refuses an unknown token',
    path: '/sys/user/passport/redeem',
    json: { token: 'a'.repeat(43) },
    status: 401,
  },
  {
    title: 'refuses a token of another type',
    path: '/sys/user/passport/redeem',
    json: { token: 1 },
    status: 400,
    msg: /^token: /,
  },

  // Bodies (spec 10.1).
  {
    title: 'refuses a form where JSON is expected',
    path: '/site/message',
    ...form({ name: 'x' }),
    status: 415,
  },
  {
    title: 'refuses JSON where a form is expected',
    path: '/client/record-data/log',
    json: fingerprint,
    status: 415,
  },
  {
    title: 'refuses plain text, which pages of other sites can send',
    path: '/site/message',
    body: JSON.stringify(message),
    headers: { 'content-type': 'text/plain' },
    status: 415,
  },
  { title: 'refuses a body without a type', path: '/site/message', body: '{}', status: 415 },
  {
    title: 'refuses another charset',
    path: '/site/message',
    body: '{}',
    headers: { 'content-type': 'application/json; charset=utf-16' },
    status: 415,
  },
  {
    title: 'refuses a compressed body',
    path: '/site/message',
    body: '{}',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    status: 415,
  },
  {
    title: 'refuses more than 64 KiB',
    path: '/site/message',
    json: { ...message, message: 'x'.repeat(65 * 1024) },
    status: 413,
  },
  {
    title: 'refuses malformed JSON',
    path: '/site/message',
    body: '{"name":',
    headers: { 'content-type': 'application/json' },
    status: 400,
  },
  {
    title: 'refuses JSON that is not an object',
    path: '/site/message',
    json: [message],
    status: 400,
  },
  {
    title: 'refuses JSON nested 33 deep',
    path: '/site/message',
    body: nestedJson(33),
    headers: { 'content-type': 'application/json' },
    status: 400,
    msg: /nested/,
  },
  {
    title: 'parses JSON nested 32 deep',
    path: '/site/message',
    body: nestedJson(32),
    headers: { 'content-type': 'application/json' },
    status: 400,
    msg: /^name: /,
  },
  {
    title: 'refuses 30,000 brackets',
    path: '/site/message',
    body: '['.repeat(30_000),
    headers: { 'content-type': 'application/json' },
    status: 400,
  },
  {
    title: 'refuses bytes that are not UTF-8',
    path: '/site/message',
    body: Buffer.from([0x7b, 0xff, 0x7d]),
    headers: { 'content-type': 'application/json' },
    status: 400,
  },
  {
    title: 'ignores fields of __proto__',
    path: '/site/helpful',
    body: '{"__proto__":{"page":"/x","locale":"en","helpful":true}}',
    headers: { 'content-type': 'application/json' },
    status: 400,
    msg: /^page: /,
  },

  // Methods and paths.
  { title: 'answers HEAD like GET', path: '/sys/config/chat-type', method: 'HEAD', status: 200 },
  {
    title: 'refuses POST where only GET is allowed',
    path: '/sys/config/public-key',
    json: {},
    status: 405,
    allow: 'GET, HEAD',
  },
  {
    title: 'refuses GET where only POST is allowed',
    path: '/sys/config/event',
    status: 405,
    allow: 'POST',
  },
  {
    title: 'refuses a preflight of another site',
    path: '/sys/config/event',
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    status: 405,
    allow: 'POST',
  },
  { title: 'refuses DELETE', path: '/site/message', method: 'DELETE', status: 405, allow: 'POST' },
  ...['/', '', '/nothing', '/sys/config/event/', '/SITE/message', '/constructor', '/__proto__'].map(
    (path): ApiCase => ({ title: `has no call at "${path}"`, path, status: 404 }),
  ),
]
