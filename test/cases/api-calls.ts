/**
 * Calls of the embedded API and what they answer: one row a behaviour. The same table is run against a site of its own and, through the
 * proxy, against a second one. `data` is compared as a part of the answer's data.
 */
import type { ApiInput } from '../../testing/call-api'

export type ApiCase = ApiInput & {
  does: string
  path: string
  method?: string
  status: number
  data?: unknown
  msg?: RegExp
  allow?: string
}

const form = (fields: Record<string, string>): { form: Record<string, string> } => ({
  form: fields,
})
const sources = JSON.stringify({
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
const deep = (levels: number): string =>
  `{"name":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
const fingerprint = {
  log_type: 'canvas_v1',
  data: '{"screen":"1920x1080"}',
  base_encode: Buffer.from('{"canvas":"a1b2"}').toString('base64'),
}

export const apiCases: readonly ApiCase[] = [
  {
    does: 'gives the public key',
    path: '/sys/config/public-key',
    status: 200,
    data: {
      alg: 'RSA-OAEP-256',
      kid: expect.stringMatching(/^[0-9a-f]{16}$/),
      spki: expect.stringMatching(/^MII[\w+/]+=*$/),
    },
  },
  {
    does: 'gives a nonce for ten minutes',
    path: '/sys/user/passport/nonce',
    status: 200,
    data: { nonce: expect.stringMatching(/^[\w.-]{40,}$/), expires_in: 600 },
  },

  {
    does: 'counts a referral code',
    path: '/sys/config/ref/set?c_v=Abc_1-2',
    headers: { cookie: 'device_id=device-number-1' },
    status: 200,
    data: { counted: true },
  },
  {
    does: 'counts it once a device',
    path: '/sys/config/ref/set?c_v=Abc_1-2',
    headers: { cookie: 'device_id=device-number-1' },
    status: 200,
    data: { counted: false },
  },
  {
    does: 'counts it for another device',
    path: '/sys/config/ref/set?c_v=Abc_1-2',
    headers: { cookie: 'device_id=device-number-2' },
    status: 200,
    data: { counted: true },
  },
  {
    does: 'takes a code of 64 characters',
    path: `/sys/config/ref/set?c_v=${'a'.repeat(64)}`,
    headers: { cookie: 'device_id=device-number-1' },
    status: 200,
    data: { counted: true },
  },
  ...['', 'a'.repeat(65), 'a%20b', 'a%00', '%C3%A9', 'a/b'].map((code): ApiCase => ({
    does: `refuses the code "${code.slice(0, 10)}"`,
    path: `/sys/config/ref/set?c_v=${code}`,
    status: 400,
    msg: /^c_v: /,
  })),
  { does: 'names a missing code', path: '/sys/config/ref/set', status: 400, msg: /^c_v: / },
  {
    does: 'refuses a field given twice',
    path: '/sys/config/ref/set?c_v=a&c_v=b',
    status: 400,
    msg: /^c_v: given twice/,
  },

  {
    does: 'records a source',
    path: '/sys/user/passport/record-source',
    ...form({ referer: 'https://example.org/', source_data: sources }),
    status: 200,
    data: null,
  },
  {
    does: 'names source data that is no JSON',
    path: '/sys/user/passport/record-source',
    ...form({ referer: '', source_data: '{' }),
    status: 400,
    msg: /^source_data: /,
  },
  {
    does: 'names a field of the source data that is too long',
    path: '/sys/user/passport/record-source',
    ...form({ source_data: JSON.stringify({ utm_term: 'x'.repeat(513) }) }),
    status: 400,
    msg: /^source_data\.utm_term: at most 512/,
  },
  {
    does: 'takes 512 characters',
    path: '/sys/user/passport/record-source',
    ...form({ source_data: JSON.stringify({ utm_term: 'x'.repeat(512) }) }),
    status: 200,
  },

  {
    does: 'tells a visitor what is known',
    path: '/sys/config/ip/get-visitor-ip',
    headers: { 'user-agent': 'Test/1.0', 'accept-language': 'de;q=0.5, pt-BR' },
    status: 200,
    data: {
      ip: expect.stringMatching(/^[\d.:a-f]+$/),
      ua: 'Test/1.0',
      language: 'pt-BR',
      ip_data: { timezone: '', country: '', region: '', city: '' },
    },
  },

  {
    does: 'keeps a fingerprint',
    path: '/client/record-data/log',
    ...form(fingerprint),
    status: 200,
    data: { stored: true },
  },
  {
    does: 'keeps none with Global Privacy Control',
    path: '/client/record-data/log',
    ...form(fingerprint),
    headers: { 'sec-gpc': '1' },
    status: 200,
    data: { stored: false },
  },
  {
    does: 'keeps none after a refusal',
    path: '/client/record-data/log',
    ...form(fingerprint),
    headers: { cookie: 'consent=refused' },
    status: 200,
    data: { stored: false },
  },
  {
    does: 'names a bad kind of log',
    path: '/client/record-data/log',
    ...form({ ...fingerprint, log_type: 'Canvas!' }),
    status: 400,
    msg: /^log_type: /,
  },
  {
    does: 'names data that is no JSON',
    path: '/client/record-data/log',
    ...form({ ...fingerprint, data: 'x' }),
    status: 400,
    msg: /^data: /,
  },
  {
    does: 'names data that is too large',
    path: '/client/record-data/log',
    ...form({ ...fingerprint, data: JSON.stringify('x'.repeat(16 * 1024)) }),
    status: 400,
    msg: /^data: /,
  },
  {
    does: 'names base64 that holds no JSON',
    path: '/client/record-data/log',
    ...form({ ...fingerprint, base_encode: 'AAAA' }),
    status: 400,
    msg: /^base_encode: /,
  },

  {
    does: 'gives base info',
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
    does: `takes the language ${lang}`,
    path: `/home/base-info?lang=${lang}&type=home`,
    status: 200,
  })),
  {
    does: 'names a language that is none',
    path: '/home/base-info?lang=xx-XX&type=home',
    status: 400,
    msg: /^lang: /,
  },
  {
    does: 'names a type that is none',
    path: '/home/base-info?lang=en-US&type=away',
    status: 400,
    msg: /^type: /,
  },
  {
    does: 'gives the kind of chat',
    path: '/sys/config/chat-type?lang=en-US&type=www',
    status: 200,
    data: { chat: 'other', chat_info: { js: '' } },
  },
  {
    does: 'gives it without parameters',
    path: '/sys/config/chat-type',
    status: 200,
    data: { chat: 'other', chat_info: { js: '' } },
  },
  {
    does: 'chooses a chat provider',
    path: '/third/chat/choose?ip=8.8.8.8&lang=zh',
    status: 200,
    data: { type: 'other' },
  },
  {
    does: 'names an address that is none',
    path: '/third/chat/choose?ip=8.8.8&lang=zh',
    status: 400,
    msg: /^ip: /,
  },

  {
    does: 'gives the newest client',
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
    does: 'knows no Linux client',
    path: '/client/sys-client-version/get-latest-version?system=com_linux',
    status: 404,
  },
  {
    does: 'names a system that is none',
    path: '/client/sys-client-version/get-latest-version?system=com_amiga',
    status: 400,
    msg: /^system: /,
  },

  { does: 'takes a message', path: '/site/message', json: message, status: 200, data: null },
  {
    does: 'takes 4,000 characters, each counted once',
    path: '/site/message',
    json: { ...message, message: '𝔸'.repeat(4000) },
    status: 200,
  },
  {
    does: 'refuses 4,001',
    path: '/site/message',
    json: { ...message, message: 'a'.repeat(4001) },
    status: 400,
    msg: /^message: /,
  },
  {
    does: 'refuses an empty one',
    path: '/site/message',
    json: { ...message, message: ' \n ' },
    status: 400,
    msg: /^message: /,
  },
  {
    does: 'refuses an address that is none',
    path: '/site/message',
    json: { ...message, email: 'ada' },
    status: 400,
    msg: /^email: /,
  },
  {
    does: 'refuses a line break in a name',
    path: '/site/message',
    json: { ...message, name: 'Ada\r\nBcc: x' },
    status: 400,
    msg: /^name: /,
  },
  {
    does: 'refuses a script as page',
    path: '/site/message',
    json: { ...message, page: 'javascript:alert(1)' },
    status: 400,
    msg: /^page: /,
  },
  {
    does: 'refuses a field of another type',
    path: '/site/message',
    json: { ...message, message: { $gt: '' } },
    status: 400,
    msg: /^message: /,
  },
  {
    does: 'takes a vote',
    path: '/site/helpful',
    json: { page: '/docs/profiles', locale: 'en', helpful: true },
    status: 200,
    data: null,
  },
  {
    does: 'refuses a vote that is neither',
    path: '/site/helpful',
    json: { page: '/docs/profiles', locale: 'en', helpful: 'yes' },
    status: 400,
    msg: /^helpful: /,
  },

  // Answers that may be kept have their own tests beside what they serve; here only what every call does with a bad field.
  {
    does: 'names the language of a missing page',
    path: '/site/missing?lang=xx',
    status: 400,
    msg: /^lang: /,
  },
  { does: 'names an empty search', path: '/site/search?q=&lang=en', status: 400, msg: /^q: / },
  {
    does: 'names texts that are none',
    path: '/site/texts?lang=en&name=home',
    status: 400,
    msg: /^name: /,
  },
  {
    does: 'names the language of an offer',
    path: '/site/offer?lang=xx',
    status: 400,
    msg: /^lang: /,
  },
  {
    does: 'names a path that is none',
    path: '/site/redirect?path=pricing&lang=en',
    status: 400,
    msg: /^path: /,
  },

  {
    does: 'redeems no unknown token',
    path: '/sys/user/passport/redeem',
    json: { token: 'a'.repeat(43) },
    status: 401,
  },
  {
    does: 'names a token of another type',
    path: '/sys/user/passport/redeem',
    json: { token: 1 },
    status: 400,
    msg: /^token: /,
  },

  // Bodies (decisions 10).
  {
    does: 'refuses a JSON call as a form',
    path: '/site/message',
    ...form({ name: 'x' }),
    status: 415,
  },
  {
    does: 'refuses a form call as JSON',
    path: '/client/record-data/log',
    json: fingerprint,
    status: 415,
  },
  {
    does: 'refuses plain text, which any page may send',
    path: '/site/message',
    body: JSON.stringify(message),
    headers: { 'content-type': 'text/plain' },
    status: 415,
  },
  { does: 'refuses a body without a type', path: '/site/message', body: '{}', status: 415 },
  {
    does: 'refuses another character set',
    path: '/site/message',
    body: '{}',
    headers: { 'content-type': 'application/json; charset=utf-16' },
    status: 415,
  },
  {
    does: 'refuses a packed body',
    path: '/site/message',
    body: '{}',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    status: 415,
  },
  {
    does: 'refuses more than 64 KiB',
    path: '/site/message',
    json: { ...message, message: 'x'.repeat(65 * 1024) },
    status: 413,
  },
  {
    does: 'refuses malformed JSON',
    path: '/site/message',
    body: '{"name":',
    headers: { 'content-type': 'application/json' },
    status: 400,
  },
  { does: 'refuses JSON that is no object', path: '/site/message', json: [message], status: 400 },
  {
    does: 'refuses JSON 33 deep',
    path: '/site/message',
    body: deep(33),
    headers: { 'content-type': 'application/json' },
    status: 400,
    msg: /nested/,
  },
  {
    does: 'reads JSON 32 deep',
    path: '/site/message',
    body: deep(32),
    headers: { 'content-type': 'application/json' },
    status: 400,
    msg: /^name: /,
  },
  {
    does: 'survives 30,000 brackets',
    path: '/site/message',
    body: '['.repeat(30_000),
    headers: { 'content-type': 'application/json' },
    status: 400,
  },
  {
    does: 'refuses bytes that are no UTF-8',
    path: '/site/message',
    body: Buffer.from([0x7b, 0xff, 0x7d]),
    headers: { 'content-type': 'application/json' },
    status: 400,
  },
  {
    does: 'is not polluted by __proto__',
    path: '/site/helpful',
    body: '{"__proto__":{"page":"/x","locale":"en","helpful":true}}',
    headers: { 'content-type': 'application/json' },
    status: 400,
    msg: /^page: /,
  },

  // Methods and paths.
  { does: 'answers HEAD like GET', path: '/sys/config/chat-type', method: 'HEAD', status: 200 },
  {
    does: 'refuses POST where only GET is',
    path: '/sys/config/public-key',
    json: {},
    status: 405,
    allow: 'GET, HEAD',
  },
  { does: 'refuses GET where only POST is', path: '/sys/config/event', status: 405, allow: 'POST' },
  {
    does: 'takes no preflight of another site',
    path: '/sys/config/event',
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    status: 405,
    allow: 'POST',
  },
  { does: 'refuses DELETE', path: '/site/message', method: 'DELETE', status: 405, allow: 'POST' },
  ...['/', '', '/nothing', '/sys/config/event/', '/SITE/message', '/constructor', '/__proto__'].map(
    (path): ApiCase => ({ does: `has nothing at "${path}"`, path, status: 404 }),
  ),
]
