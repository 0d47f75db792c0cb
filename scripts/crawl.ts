/**
 * `npm run crawl -- --origin http://localhost:3000 [--zh …] [--ru …] [--concurrency 4]`: crawls a
 * running site and reports broken links, wrong hreflang links and pages missing from sitemaps.
 */
import { parseArgs } from 'node:util'
import { crawlSite } from './crawl/crawl-site'

const usage =
  'usage: npm run crawl -- --origin http://localhost:3000 [--zh http://zh.localhost:3000] [--ru http://ru.localhost:3000] [--concurrency 4]'
/** Findings that are printed of each kind. */
const maxPerKind = 20

/** The default origin of a language host: `zh.` before the host name, without `www.`. */
function languageOrigin(origin: string, language: string): string {
  const url = new URL(origin)
  url.hostname = `${language}.${url.hostname.replace(/^www\./, '')}`
  return url.origin
}

async function crawl(): Promise<void> {
  const { values } = parseArgs({
    options: {
      origin: { type: 'string' },
      zh: { type: 'string' },
      ru: { type: 'string' },
      concurrency: { type: 'string', default: '4' },
    },
  })
  const { origin } = values
  if (!origin || !URL.canParse(origin)) throw new Error(usage)
  const concurrency = Number(values.concurrency)
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > 64)
    throw new Error('--concurrency takes a whole number from 1 to 64')
  const { sitemaps, listed, reached, milliseconds, findings } = await crawlSite(
    [origin, values.zh ?? languageOrigin(origin, 'zh'), values.ru ?? languageOrigin(origin, 'ru')],
    concurrency,
  )
  for (const kind of new Set(findings.map((finding) => finding.kind))) {
    const ofKind = findings.filter((finding) => finding.kind === kind)
    console.log(`${kind}: ${ofKind.length}`)
    for (const { address, detail } of ofKind.slice(0, maxPerKind))
      console.log(`  ${address}  ${detail}`)
  }
  const seconds = (milliseconds / 1000).toFixed(1)
  console.log(
    `${sitemaps} sitemaps with ${listed} pages, ${reached} pages reached by links, ${findings.length} findings, ${seconds} s, ${concurrency} requests at a time`,
  )
  process.exitCode = findings.length > 0 ? 1 : 0
}

crawl().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
