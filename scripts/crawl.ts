/** `npm run crawl -- --origin http://localhost:3000 [--zh …] [--ru …] [--at-once 4]`: is everything found, and nothing broken? */
import { parseArgs } from 'node:util'
import { crawlSite } from './crawl/crawl-site'

/** Origin of a language host beside the given one: `zh.` in front of its name, `www.` left away, as the defaults have it. */
function beside(origin: string, name: string): string {
  const url = new URL(origin)
  url.hostname = `${name}.${url.hostname.replace(/^www\./, '')}`
  return url.origin
}

async function crawl(): Promise<void> {
  const { values } = parseArgs({
    options: {
      origin: { type: 'string' },
      zh: { type: 'string' },
      ru: { type: 'string' },
      'at-once': { type: 'string', default: '4' },
    },
  })
  const { origin } = values
  if (!origin || !URL.canParse(origin))
    throw new Error(
      'usage: npm run crawl -- --origin http://localhost:3000 [--zh http://zh.localhost:3000] [--ru http://ru.localhost:3000] [--at-once 4]',
    )
  const atOnce = Number(values['at-once'])
  if (!Number.isInteger(atOnce) || atOnce < 1 || atOnce > 64)
    throw new Error('--at-once takes a whole number from 1 to 64')
  const { sitemaps, listed, reached, milliseconds, findings } = await crawlSite(
    [origin, values.zh ?? beside(origin, 'zh'), values.ru ?? beside(origin, 'ru')],
    atOnce,
  )
  const shown = 20
  const kinds = [...new Set(findings.map(({ kind }) => kind))]
  for (const kind of kinds) {
    const some = findings.filter((finding) => finding.kind === kind)
    console.log(`${kind}: ${some.length}`)
    for (const { address, detail } of some.slice(0, shown)) console.log(`  ${address}  ${detail}`)
  }
  console.log(
    `${sitemaps} sitemaps with ${listed} pages, ${reached} pages reached by links, ${findings.length} findings, ${(milliseconds / 1000).toFixed(1)} s, ${atOnce} at a time`,
  )
  process.exitCode = findings.length > 0 ? 1 : 0
}

crawl().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
