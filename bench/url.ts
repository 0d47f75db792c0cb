/**
 * Measures the time of a call of `canonicalize`: 2,000,000 calls with 10,000 URLs and a redirect
 * table of 5,000 rows.
 */
import { cpus } from 'node:os'
import { canonicalize, type RequestedUrl } from '../server/url/canonicalize'
import type { UrlContext } from '../server/url/url-context'
import { createRedirectTable, type RedirectRow } from '../server/url/redirect-table'
import { localeCodes, locales } from '../shared/i18n/locales'
import { localePath } from '../shared/routes/href'

const calls = 2_000_000
const batch = 20_000

const rows: RedirectRow[] = Array.from({ length: 5000 }, (_, index) =>
  index % 50 === 0
    ? {
        from: `/archive-${index}/*`,
        to: '/helps/:splat',
        status: 301,
        locales: null,
        line: index + 1,
      }
    : {
        from: `/old-page-${index}`,
        to: index % 7 === 0 ? `https://partner.example/${index}` : `/blog/article-${index}`,
        status: index % 3 === 0 ? 302 : 301,
        locales: index % 11 === 0 ? ['es', 'pt'] : null,
        line: index + 1,
      },
)

const urlContext: UrlContext = {
  origins: {
    en: 'https://www.example.com',
    zh: 'https://cn.example.com',
    ru: 'https://ru.example.com',
  },
  redirects: createRedirectTable(rows),
  firstDoc: () => 'profiles',
  isSolution: () => true,
  preSales: true,
}

/** Mostly canonical pages, as in production; a quarter needs one or more redirect rules. */
const kinds: ReadonlyArray<(index: number) => string> = [
  (index) => `/blog/article-${index}`,
  () => '/pricing',
  (index) => `/docs/page-${index % 40}`,
  (index) => `/solutions/solution-${index % 16}`,
  () => '/',
  (index) => `/blog-proxies/tag-${index % 9}`,
  (index) => `/helps/help-${index}`,
  (index) => `/release/1.${index % 20}.0`,
  () => '/download',
  (index) => `/old-page-${index % 5000}`,
  (index) => `/Blog/Article-${index}.html/`,
  (index) => `/archive-${(index % 100) * 50}/deep/page-${index}`,
]
const urls: RequestedUrl[] = Array.from({ length: 10_000 }, (_, index) => {
  const code = localeCodes[index % localeCodes.length] ?? 'en'
  const path = (kinds[index % kinds.length] ?? kinds[0])?.(index) ?? '/'
  return {
    host: locales[code].domain,
    path: localePath(code, path),
    query: index % 5 === 0 ? '?utm_source=mail&utm_campaign=x' : '',
  }
})

const times: number[] = []
let redirects = 0
for (let done = 0; done < calls; done += batch) {
  const started = process.hrtime.bigint()
  for (let index = 0; index < batch; index += 1) {
    const url = urls[(done + index) % urls.length]
    if (url && canonicalize(url, urlContext).kind === 'redirect') redirects += 1
  }
  times.push(Number(process.hrtime.bigint() - started) / batch / 1000)
}
times.sort((a, b) => a - b)
const at = (share: number): string =>
  (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(2)
console.log(
  `canonicalize, ${calls.toLocaleString('en')} calls, ${urls.length.toLocaleString('en')} URLs, ${rows.length.toLocaleString('en')} rows, Node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}`,
)
console.log(
  `per call in batches of ${batch}: median ${at(0.5)} µs, p5 ${at(0.05)} µs, p95 ${at(0.95)} µs; ${((redirects / calls) * 100).toFixed(0)} % redirected`,
)
