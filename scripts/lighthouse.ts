/**
 * `npm run lighthouse`: starts a site and rates four pages in three languages with Lighthouse, as
 * seen on a phone. Exits with 1 when a page has less than 100 for accessibility, best practices or
 * SEO. The rating of performance depends on the machine, so it is printed but not checked.
 *
 * `-- --runs 3` measures each page three times and prints the run of median performance.
 * `-- /faq zh.localhost/docs/proxies` measures only the named pages; without a host, of
 * `localhost`.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { z } from 'zod'
import { locales } from '../shared/i18n/locales'
import { href } from '../shared/routes/href'
import { chromiumArguments } from '../testing/chromium-arguments'
import { root } from '../testing/root'
import { hostNames, startTestSite } from '../testing/site'
import { findBrowser } from './browser.mjs'
import { build } from './prepare.mjs'

/** Categories that must score 100. */
const requiredCategories = ['accessibility', 'best-practices', 'seo'] as const
const allCategories = ['performance', ...requiredCategories] as const

/** Each as host name and path: `zh.localhost/pricing`. */
const defaultPages = (['en', 'zh', 'th'] as const).flatMap((locale) =>
  [
    href(locale, 'home', {}),
    href(locale, 'pricing', {}),
    href(locale, 'blog-article', { id: 'choosing-a-proxy-type' }),
    href(locale, 'doc', { id: 'automation' }),
  ].map((path) => hostNames[locales[locale].domain] + path),
)

const categorySchema = z.object({
  score: z.number().nullable(),
  auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })),
})
const reportSchema = z.object({
  runtimeError: z.object({ message: z.string() }).optional(),
  categories: z.object({
    performance: categorySchema,
    accessibility: categorySchema,
    'best-practices': categorySchema,
    seo: categorySchema,
  }),
  audits: z.record(
    z.string(),
    z.object({
      title: z.string(),
      score: z.number().nullable(),
      displayValue: z.string().optional(),
    }),
  ),
})
type Report = z.infer<typeof reportSchema>

const browserFlags = ['--headless=new', ...chromiumArguments]

/**
 * Runs Lighthouse with its defaults (a mid-range phone, throttled). Throws if the page fails to
 * load.
 */
async function measure(url: string, executablePath: string): Promise<Report> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      join(root, 'node_modules', 'lighthouse', 'cli', 'index.js'),
      url,
      '--quiet',
      '--output=json',
      '--output-path=stdout',
      `--only-categories=${allCategories.join(',')}`,
      `--chrome-flags=${browserFlags.join(' ')}`,
    ],
    { env: { ...process.env, CHROME_PATH: executablePath }, maxBuffer: 64 * 1024 * 1024 },
  )
  const result = reportSchema.parse(JSON.parse(stdout))
  if (result.runtimeError) throw new Error(`${url}: ${result.runtimeError.message}`)
  return result
}

/** Measures a page several times. Returns the run with the median performance. */
async function measureMedian(url: string, executablePath: string, runs: number): Promise<Report> {
  const reports: Report[] = []
  for (let run = 0; run < runs; run += 1) reports.push(await measure(url, executablePath))
  const performance = ({ categories }: Report): number => categories.performance.score ?? 0
  const middle = reports.sort((a, b) => performance(a) - performance(b))[Math.floor(runs / 2)]
  if (!middle) throw new Error('--runs must be 1 or more')
  return middle
}

const percent = (score: number | null): number => Math.round((score ?? 0) * 100)

/** The failed audits of a category. */
const failedAudits = (
  { categories, audits }: Report,
  name: (typeof requiredCategories)[number],
): string[] =>
  categories[name].auditRefs.flatMap(({ id, weight }) => {
    const audit = audits[id]
    return weight > 0 && audit && audit.score !== null && audit.score < 1
      ? [`${name}: ${audit.title} (${id})`]
      : []
  })

/** The metrics behind the performance score. */
const timings = ({ categories, audits }: Report): string =>
  categories.performance.auditRefs
    .flatMap(({ id, weight }) =>
      weight > 0 && audits[id]
        ? [
            `${id} ${audits[id].displayValue?.replace(/\s/g, ' ') ?? '-'} (${percent(audits[id].score)})`,
          ]
        : [],
    )
    .join(', ')

async function main(): Promise<void> {
  process.env['BUILD_FOLDER'] ??= build(root)
  const executablePath = findBrowser()
  if (!executablePath)
    throw new Error('no browser: install Chromium and set CHROMIUM_PATH to its path')
  const { values, positionals } = parseArgs({
    options: { runs: { type: 'string', default: '1' } },
    allowPositionals: true,
  })
  const pages = positionals.length > 0 ? positionals : defaultPages
  const site = await startTestSite()
  try {
    for (const page of pages) {
      const hostLength = page.indexOf('/')
      const host = page.slice(0, hostLength) || 'localhost'
      const url = `http://${host}:${site.port}${page.slice(hostLength)}`
      const result = await measureMedian(url, executablePath, Number(values.runs))
      console.log(
        `${page}: ${allCategories.map((name) => `${name} ${percent(result.categories[name].score)}`).join(', ')}`,
      )
      console.log(`  ${timings(result)}`)
      for (const audit of requiredCategories.flatMap((name) => failedAudits(result, name)))
        console.log(`  ${audit}`)
      if (requiredCategories.some((name) => percent(result.categories[name].score) < 100))
        process.exitCode = 1
    }
  } finally {
    await site.stop()
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
