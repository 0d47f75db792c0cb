/**
 * The requests of `npm run bench -- fuzz`: valid ones of every part of the site, and mutations of
 * method, target, version, headers, body and bytes. The lists below hold the spellings that are
 * known from attacks on HTTP servers and proxies: request smuggling, path traversal, cache
 * poisoning, overlong encodings.
 */
import { createRandom, type Random } from './fuzz-random'

type Header = readonly [name: string, value: string]
type ValidRequest = {
  method: 'GET' | 'HEAD' | 'POST'
  target: string
  headers?: readonly Header[]
  body?: string
}

/** The requests of one connection. */
export type Sequence = {
  /** Sent one after the other. */
  packets: readonly Buffer[]
  requests: number
  /**
   * Of an unchanged sequence: each request must be answered, in this order, and the connection
   * closed. Null when a request was changed: any refusal is an answer.
   */
  expected: ReadonlyArray<{ method: string; id: string }> | null
}

const json = ['Content-Type', 'application/json'] as const
const form = ['Content-Type', 'application/x-www-form-urlencoded'] as const

/** `found`: targets with hashes, which only the running site knows. */
export const validRequests = (
  found: readonly string[],
  operator: { authorization: string },
): readonly ValidRequest[] => [
  ...[
    '/',
    '/pricing',
    '/es',
    '/es/?ref=abc',
    '/th/pricing',
    '/blog',
    '/blog?page=2',
    '/blog-proxies/cookies',
    '/docs/profiles',
    '/blog/choosing-a-proxy-type',
    '/solutions/e-commerce',
    '/nothing-is-here',
    '/blog/nothing',
    '/Pricing',
    '/pricing.html/',
    '/guide',
    '/error/404',
    '/app',
    '/pricing/_payload.json',
    '/es/_payload.json',
    '/_payload.json?0123456789abcdef&page=2',
    '/Faq/_payload.json',
    '/__nuxt_island/Nothing_0123456789abcdef.json?lang=en&props={}',
    '/_image/_/picture-missing.svg',
    '/_image/w_992,f_webp/picture-missing.svg',
    '/_image/w_992,f_webp/nothing.png',
    '/_og/0123456789abcdef/pricing.png',
    '/_preview/abc.def',
    '/_snippets/0123456789abcdef0123456789abcdef.js',
    '/assets/main.0123456789.js',
    '/favicon.svg',
    '/robots.txt',
    '/llms.txt',
    '/sitemap.xml',
    '/en-US-sitemap.xml',
    '/blog/feed.xml',
    '/blog/choosing-a-proxy-type.md',
    '/healthz',
    '/readyz',
    '/builds/latest.json',
    '/api/home/base-info?lang=en&type=home',
    '/api/sys/config/chat-type?lang=en&type=www',
    '/api/third/chat/choose?ip=1.2.3.4&lang=en',
    '/api/sys/config/ip/get-visitor-ip',
    '/api/sys/config/ref/set?c_v=abc-1',
    '/api/sys/config/public-key',
    '/api/sys/user/passport/nonce',
    '/api/client/sys-client-version/get-latest-version?system=com_win64',
    '/api/site/redirect?path=/Pricing&lang=en',
    '/api/site/search?q=proxy&lang=en',
    '/api/of/the/backend',
    '/_ops/cache',
    '/_ops/nothing',
    ...found,
  ].map((target): ValidRequest => ({ method: 'GET', target })),
  ...['/_ops/cache?limit=2', '/_ops/metrics'].map((target): ValidRequest => ({
    method: 'GET',
    target,
    headers: [['Authorization', operator.authorization]],
  })),
  {
    method: 'POST',
    target: '/_ops/cache/purge',
    headers: [['Authorization', operator.authorization], json],
    body: '{"paths":["/pricing"]}',
  },
  {
    method: 'POST',
    target: '/api/site/message',
    headers: [json],
    body: '{"name":"Ada","email":"ada@example.com","message":"Hello","locale":"en","page":"/"}',
  },
  {
    method: 'POST',
    target: '/api/site/vitals',
    headers: [json],
    body: '{"route":"home","locale":"en","lcp":1200}',
  },
  {
    method: 'POST',
    target: '/api/site/helpful',
    headers: [json],
    body: '{"page":"/docs/profiles","locale":"en","helpful":true}',
  },
  {
    method: 'POST',
    target: '/api/sys/user/passport/redeem',
    headers: [json],
    body: '{"token":"abc"}',
  },
  { method: 'POST', target: '/api/sys/config/event', headers: [form], body: '_t=abc&_a=def' },
  {
    method: 'POST',
    target: '/api/sys/user/passport/record-source',
    headers: [form],
    body: 'referer=&source_data=%7B%7D',
  },
  {
    method: 'POST',
    target: '/api/client/record-data/log',
    headers: [form],
    body: 'log_type=a&data=%7B%7D&base_encode=e30%3D',
  },
  {
    method: 'POST',
    target: '/api/sys/user/passport/authorized-login',
    headers: [form],
    body: 'third_party=google&third_party_action_type=one_tap&credential=a.b',
  },
  { method: 'POST', target: '/api/of/the/backend', headers: [json], body: '{"a":1}' },
]

/** Headers that change no framing, so that the request stays valid. */
const harmlessHeaders: readonly Header[] = [
  ['Accept-Encoding', 'br'],
  ['Accept-Encoding', 'gzip, deflate, br, zstd'],
  ['Accept-Encoding', 'identity;q=0, *;q=0'],
  ['Accept-Encoding', ';;q=,,gzip;q=5'],
  ['Accept-Language', 'th, en;q=0.5'],
  ['Accept-Language', '*-*;q=9,;,=,zh-Hant-'],
  ['Cookie', 'i18n_redirected=es'],
  ['Cookie', 'i18n_redirected=%zz; device_id="; =; consent; __proto__=1; a=b=c;;'],
  ['If-None-Match', '*'],
  ['If-None-Match', 'W/"a", "b", unquoted, "'],
  ['If-Modified-Since', 'Sun, 22 Nov 2099 00:00:00 GMT'],
  ['If-Modified-Since', '-1'],
  ['If-Range', '"a"'],
  ['Range', 'bytes=0-9'],
  ['Range', 'bytes=5-1'],
  ['Range', 'bytes=-'],
  ['Range', 'bytes=0-0,2-3,-1'],
  ['Range', 'bytes=99999999999999999999-'],
  ['Range', 'lines=1-2'],
  ['Range', `bytes=${'0-,'.repeat(500)}0-`],
  ['Referer', 'http://localhost/'],
  ['Referer', 'not a URL'],
  ['Sec-Fetch-Site', 'same-origin'],
  ['Origin', 'null'],
  ['Origin', 'https://evil.example'],
  ['X-Forwarded-For', '1.2.3.4, [::1]:5, evil'],
  ['X-Forwarded-Host', 'evil.example'],
  ['X-Forwarded-Proto', 'gopher'],
  ['Forwarded', 'for="_x";host=evil.example'],
  ['X-Original-URL', '/_ops/metrics'],
  ['X-Rewrite-URL', '/_ops/metrics'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Middleware-Subrequest', 'src/middleware'],
  ['X-Request-Id', 'abcd-1234-efgh'],
  ['X-Request-Id', '<script>'],
  ['Authorization', 'Basic'],
  ['Authorization', 'Bearer'],
  ['Upgrade', 'h2c'],
  ['Upgrade', 'websocket'],
  ['traceparent', '00-0-0-ff'],
  ['__proto__', 'x'],
  ['constructor', 'x'],
  ['User-Agent', 'Googlebot/2.1'],
  ['User-Agent', '\u00ff\u00fe'],
  ['Accept', 'image/avif'],
  ['X-Long', 'x'.repeat(6000)],
]

/** Whole header lines, most of them refused. */
const badHeaderLines = [
  'Host: localhost',
  'Host: evil.example',
  'Host:',
  'Host: a b',
  'Host: localhost:99999',
  'Host: localhost@evil.example',
  'Host: [::1',
  'host : localhost',
  'Content-Length: 0',
  'Content-Length: 5',
  'Content-Length: +5',
  'Content-Length: -1',
  'Content-Length: 0x5',
  'Content-Length: 5, 5',
  'Content-Length: 5, 6',
  'Content-Length: 1e1',
  'Content-Length: 5 5',
  'Content-Length:',
  'Content-Length: 18446744073709551617',
  'Content-Length : 5',
  'Content_Length: 5',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: Chunked',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding: x, chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: identity',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding:\tchunked',
  'Transfer-Encoding:\u000bchunked',
  'Transfer-Encoding: "chunked"',
  'Transfer-Encoding : chunked',
  ' Transfer-Encoding: chunked',
  'Transfer-Encoding\r\n : chunked',
  'X: y\r\n Transfer-Encoding: chunked',
  'X: y\rTransfer-Encoding: chunked',
  'X: y\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked\u0000',
  'Transfer_Encoding: chunked',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked\r\nContent-Length: 5',
  'Content-Length: 5\r\nTransfer-Encoding: chunked',
  'TE: trailers, chunked',
  'Trailer: Content-Length',
  'Expect: 100-continue',
  'Expect: 200-ok',
  'Expect: 100-continue, x',
  'Connection: close',
  'Connection: keep-alive, Host, Content-Length, Transfer-Encoding',
  'Connection: upgrade',
  'Connection: ,,,',
  'Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ\r\nConnection: Upgrade, HTTP2-Settings',
  'no colon',
  ': no name',
  'X',
  'X Y: z',
  'X\u0000: y',
  'X: \u0000',
  'X: \u007f\u0001',
  '\u00e9: y',
  'X: y\r\n\tz',
  'Content-Encoding: gzip',
  'Content-Encoding: br, br, br',
  'Content-Type: text/plain',
  'Content-Type: application/json; charset=utf-7',
  'Content-Type: multipart/form-data; boundary=a',
  'Content-Type: ;;;',
  `Cookie: ${'a=b; '.repeat(2000)}`,
  `X-Large: ${'x'.repeat(17_000)}`,
  `X-Larger: ${'x'.repeat(70_000)}`,
  'X-A: b\r\n'.repeat(1500) + 'X-A: b',
] as const

/** Put somewhere into a target. */
const targetPieces = [
  '%00',
  '%0a',
  '%0d%0aX-Injected:%20y',
  '%',
  '%z',
  '%zz',
  '%2',
  '%ff',
  '%c0%af',
  '%c0%ae%c0%ae',
  '%e0%80%af',
  '%f0%80%80%af',
  '%ed%a0%80',
  '%u002e',
  '%25',
  '%2e',
  '%2E%2e/',
  '%2f',
  '%2F%2F',
  '%5c',
  '%252e%252e%252f',
  '%25%32%66',
  '%20',
  '%7f',
  '%c2%80',
  '%e2%80%ae',
  '%ef%bc%8f',
  '/',
  '//',
  '///evil.example/',
  '/./',
  '/../',
  '/..;/',
  '/..%2f',
  '/..%5c..%5c',
  '/%2e%2e/%2e%2e/',
  '/../../../../etc/passwd',
  '\\',
  '\\\\evil.example\\',
  '/\\evil.example/',
  ';',
  ';jsessionid=1',
  '?',
  '??',
  '?%',
  '?page=0',
  '?page=1',
  '?page=99999999999999999999',
  '?__proto__[a]=1&constructor=2',
  '?q=%ff%fe&lang=%00',
  '?/_payload.json',
  '#',
  '#fragment',
  '.html',
  '/index.html',
  '/_payload.json',
  '.md',
  '.png',
  '/feed.xml',
  '/.',
  '/..',
  '/.git/config',
  '/.env',
  '~',
  '+',
  '+a',
  '*',
  "'",
  '"',
  '<script>',
  '{}',
  '|',
  '^',
  '`',
  ' ',
  '\t',
  '\u0000',
  '\u0001',
  '\u007f',
  '\u00e9',
  '\u00c3\u00a9',
  '\r',
  '\n',
  ' HTTP/1.1\r\nX-Injected: y\r\n\r\nGET /',
] as const

const wholeTargets = [
  '*',
  '',
  'localhost:80',
  'evil.example:443',
  '/',
  '//',
  '//evil.example',
  '//evil.example/%2e%2e',
  '\\',
  '\\\\',
  '..',
  '/..',
  '?',
  '#',
  'http://',
  'http:///',
  'http://[',
  'http://localhost',
  'http://localhost/pricing',
  'HTTP://LOCALHOST/pricing',
  'http://localhost:80/pricing',
  'http://evil.example/pricing',
  'http://localhost@evil.example/pricing',
  'https://localhost/pricing',
  'ftp://localhost/pricing',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'api/x',
  '/api',
  '/api/',
  '/api/../_ops/metrics',
  '/api/..%2f_ops/metrics',
  '/api/%2e%2e/_ops/metrics',
  '/api\\..\\_ops\\metrics',
  '/api/;/x',
  '/api//x',
  '/API/x',
  '/_ops/../_ops/metrics',
  '/_image/_/../../../../etc/passwd',
  '/_image/_/..%2f..%2f..%2fetc%2fpasswd',
  '/_image/_/https:%2F%2F127.0.0.1%2Fx.png',
  '/_image/_/http:%2F%2F[::1]%2Fx.png',
  '/_image/w_99999,f_gif,q_-1/picture-missing.svg',
  '/_og/../../x.png',
  '/assets/../../package.json',
  '/assets/%2e%2e/%2e%2e/package.json',
  '/assets//etc/passwd',
  '/downloads/../../../etc/passwd',
  '/__nuxt_island/__proto___0123456789abcdef.json',
  '/__nuxt_island/HighlightedCode_0123456789abcdef.json?lang=en&props=%5B%5B',
  '/builds/meta/../latest.json',
  '/_preview/../_ops/metrics',
  '/es/../zh/../ru/pricing',
  '/es/es/es/pricing',
  '/blog-/',
  '/blog-a/b+c+d+a',
] as const

const methods = [
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'PURGE',
  'QUERY',
  'PROPFIND',
  'M-SEARCH',
  'SOURCE',
  'PRI',
  'get',
  'Get',
  'FROB',
  'G\u0000T',
  'G ET',
  '',
  'GET\t',
  'X'.repeat(300),
] as const

const versions = [
  'HTTP/1.0',
  'HTTP/0.9',
  'HTTP/1.2',
  'HTTP/2.0',
  'HTTP/1.10',
  'HTTP/11',
  'http/1.1',
  'HTTP/1.1 ',
  'HTTP/1.1x',
  'HTTPS/1.1',
  'RTSP/1.0',
  'ICE/1.0',
  '',
] as const

/** A backend that gets these bytes as a request has been smuggled to. */
const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: internal\r\nX-Forwarded-For: 6.6.6.6\r\n\r\n'

const bodies: ReadonlyArray<(random: Random) => string> = [
  () => smuggled,
  () => `0\r\n\r\n${smuggled}`,
  () => `5\r\nhello\r\n0\r\n\r\n${smuggled}`,
  () => `5;ext="a\nb"\r\nhello\r\n0\r\nX-Trailer: y\r\n\r\n`,
  () => '0x5\r\nhello\r\n0\r\n\r\n',
  () => '-1\r\nhello\r\n0\r\n\r\n',
  () => 'ffffffffffffffff1\r\nhello\r\n0\r\n\r\n',
  () => '5\nhello\n0\n\n',
  () => '5\r\nhello',
  () => '{'.repeat(50_000),
  () => `{"name":${'['.repeat(40)}${']'.repeat(40)}}`,
  () => '{"__proto__":{"a":1},"constructor":{"prototype":1}}',
  () => '{"name":"\ud800"}',
  () => '{"name":"Ada","name":"Eve"}',
  () => '{"page":1e999,"locale":null}',
  () => '\u0000\u0001\u00ff',
  () => 'a=1&a=2&=&&%zz=%ff',
  () => 'x'.repeat(70_000),
  (random) =>
    Array.from({ length: random.below(2000) }, () => String.fromCharCode(random.below(256))).join(
      '',
    ),
]

/** A request while it is changed. All text is Latin-1: one character is one byte. */
type Draft = {
  method: string
  target: string
  version: string
  lines: string[]
  body: string
  lineEnd: string
}

const insertAt = (text: string, position: number, piece: string): string =>
  text.slice(0, position) + piece + text.slice(position)

type Mutation = (draft: Draft, random: Random) => void
const mutations: readonly Mutation[] = [
  (draft, random) => (draft.method = random.pick(methods)),
  (draft, random) => (draft.version = random.pick(versions)),
  (draft, random) => (draft.target = random.pick(wholeTargets)),
  (draft, random) => {
    const position = random.below(draft.target.length + 1)
    draft.target = insertAt(draft.target, position, random.pick(targetPieces))
  },
  (draft, random) => (draft.target += random.pick(targetPieces)),
  (draft, random) => (draft.target = random.pick(targetPieces) + draft.target),
  (draft, random) =>
    (draft.target += `/${'x/'.repeat(random.pick([40, 500, 4000, 5000, 30_000]))}`),
  (draft) => (draft.target = draft.target.toUpperCase()),
  (draft, random) => (draft.target = random.pick(['http://', 'https://', '//']) + draft.target),
  (draft) =>
    (draft.target = draft.target.replace(
      /[a-z]/g,
      (letter) => `%${letter.charCodeAt(0).toString(16)}`,
    )),
  (draft, random) =>
    draft.lines.splice(random.below(draft.lines.length + 1), 0, random.pick(badHeaderLines)),
  (draft, random) =>
    draft.lines.splice(random.below(draft.lines.length + 1), 0, random.pick(badHeaderLines)),
  (draft, random) => {
    draft.lines.push(random.pick(badHeaderLines), random.pick(badHeaderLines))
  },
  (draft, random) => draft.lines.splice(random.below(draft.lines.length), 1),
  (draft, random) => (draft.body = random.pick(bodies)(random)),
  (draft, random) => (draft.body = draft.body.slice(0, random.below(draft.body.length + 1))),
  (draft, random) => (draft.lineEnd = random.pick(['\n', '\r', '\r\r\n', '\n\r'])),
  (draft, random) => {
    // A wrong length, or none, for the body that there is.
    draft.lines = draft.lines.filter((line) => !/^(content-length|transfer-encoding)/i.test(line))
    draft.lines.push(random.pick(['Content-Length: 3', 'Content-Length: 900', 'X-Nothing: 1']))
  },
]

const write = ({ method, target, version, lines, body, lineEnd }: Draft): string =>
  [`${method} ${target} ${version}`, ...lines, '', ''].join(lineEnd) + body

const chunked = (body: string, random: Random): string => {
  const at = random.below(body.length + 1)
  return [body.slice(0, at), body.slice(at)]
    .filter((part) => part !== '')
    .map((part) => `${part.length.toString(16)}\r\n${part}\r\n`)
    .concat('0\r\n\r\n')
    .join('')
}

function draftOf(
  request: ValidRequest,
  host: string,
  id: string,
  isLast: boolean,
  random: Random,
): Draft {
  const { headers = [], body = '' } = request
  const method = request.method === 'GET' && random.chance(0.15) ? 'HEAD' : request.method
  const extra = Array.from({ length: random.below(3) }, () => random.pick(harmlessHeaders))
  // A repeated header could make an unchanged request invalid.
  const names = new Set(headers.map(([name]) => name.toLowerCase()))
  const lines = [`Host: ${host}`, `X-Fuzz: ${id}`]
  for (const [name, value] of [...headers, ...extra]) {
    if (!headers.some((header) => header[0] === name && header[1] === value)) {
      if (names.has(name.toLowerCase())) continue
      names.add(name.toLowerCase())
    }
    lines.push(`${name}: ${value}`)
  }
  if (isLast) lines.push('Connection: close')
  const draft = { method, target: request.target, version: 'HTTP/1.1', lines, lineEnd: '\r\n' }
  if (method !== 'POST') return { ...draft, body: '' }
  if (random.chance(0.3)) {
    lines.push('Transfer-Encoding: chunked')
    return { ...draft, body: chunked(body, random) }
  }
  lines.push(`Content-Length: ${Buffer.byteLength(body)}`)
  return { ...draft, body }
}

/** Overwrites, inserts or removes single bytes. */
function damage(bytes: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length + 1)
  const piece = Buffer.from([random.below(256)])
  return random.pick([
    () => Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + 1)]),
    () => Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]),
    () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random.below(20))]),
  ])()
}

/** Most sequences are one packet; others arrive in pieces of any length. */
function split(bytes: Buffer, random: Random): Buffer[] {
  if (!random.chance(0.25)) return [bytes]
  const cuts = Array.from({ length: 1 + random.below(4) }, () => random.below(bytes.length + 1))
  const edges = [0, ...cuts.sort((a, b) => a - b), bytes.length]
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge))
}

const longestPipeline = 6

/** Sequence number `index` of a seed: the same one in every run with the same valid requests. */
export function createSequence(
  { valid, hosts }: { valid: readonly ValidRequest[]; hosts: readonly string[] },
  seed: number,
  index: number,
): Sequence {
  const random = createRandom(seed * 1_000_003 + index)
  const count = 1 + random.below(longestPipeline)
  const isUnchanged = random.chance(0.4)
  const drafts = Array.from({ length: count }, (_, position) =>
    draftOf(
      random.pick(valid),
      random.pick(hosts),
      `${index}-${position}`,
      position === count - 1,
      random,
    ),
  )
  if (isUnchanged) {
    const bytes = Buffer.from(drafts.map(write).join(''), 'latin1')
    const expected = drafts.map(({ method }, position) => ({ method, id: `${index}-${position}` }))
    return { packets: split(bytes, random), requests: count, expected }
  }
  const changed = random.below(count)
  drafts.forEach((draft, position) => {
    if (position !== changed && !random.chance(0.3)) return
    for (let left = 1 + random.below(3); left > 0; left -= 1) random.pick(mutations)(draft, random)
  })
  let bytes: Buffer = Buffer.from(drafts.map(write).join(''), 'latin1')
  if (random.chance(0.2)) bytes = damage(bytes, random)
  if (random.chance(0.15)) bytes = bytes.subarray(0, random.below(bytes.length + 1))
  return { packets: split(bytes, random), requests: count, expected: null }
}
