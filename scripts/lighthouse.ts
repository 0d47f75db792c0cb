/**
 * `npm run lighthouse`: what Lighthouse, as a phone, says of a page of each kind, against a site of its own. Accessibility, best
 * practices and SEO have to be 100; performance depends on the machine and is only printed. `-- /faq /docs/proxies` measures these.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { href } from '../shared/routes/href'
import { root } from '../testing/root'
import { startTestSite } from '../testing/site'
import { findBrowser } from './browser.mjs'
import { build } from './prepare.mjs'

/** Categories that say what the page is; the fourth also says how busy the machine is. */
const flawless = ['accessibility', 'best-practices', 'seo'] as const
const measured = ['performance', ...flawless] as const

const standard = (['en', 'th'] as const).flatMap((locale) => [
  href(locale, 'home', {}),
  href(locale, 'pricing', {}),
  href(locale, 'blog-article', { id: 'choosing-a-proxy-type' }),
  href(locale, 'doc', { id: 'automation' }),
])

const category = z.object({
  score: z.number().nullable(),
  auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })),
})
const report = z.object({
  runtimeError: z.object({ message: z.string() }).optional(),
  categories: z.object({
    performance: category,
    accessibility: category,
    'best-practices': category,
    seo: category,
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
type Report = z.infer<typeof report>

const browserFlags = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Runs Lighthouse with its own defaults (a middle-class phone, throttled); throws where it could not load the page. */
async function measure(url: string, executablePath: string): Promise<Report> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      join(root, 'node_modules', 'lighthouse', 'cli', 'index.js'),
      url,
      '--quiet',
      '--output=json',
      '--output-path=stdout',
      `--only-categories=${measured.join(',')}`,
      `--chrome-flags=${browserFlags.join(' ')}`,
    ],
    { env: { ...process.env, CHROME_PATH: executablePath }, maxBuffer: 64 * 1024 * 1024 },
  )
  const result = report.parse(JSON.parse(stdout))
  if (result.runtimeError) throw new Error(`${url}: ${result.runtimeError.message}`)
  return result
}

const percent = (score: number | null): number => Math.round((score ?? 0) * 100)

/** Audits that cost a category points. */
const faults = ({ categories, audits }: Report, name: (typeof flawless)[number]): string[] =>
  categories[name].auditRefs.flatMap(({ id, weight }) => {
    const audit = audits[id]
    return weight > 0 && audit && audit.score !== null && audit.score < 1
      ? [`${name}: ${audit.title} (${id})`]
      : []
  })

/** What the number for performance is made of. */
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
  if (!executablePath) throw new Error('no browser: install Chromium and name it in CHROMIUM_PATH')
  const asked = process.argv.slice(2)
  const site = await startTestSite()
  try {
    for (const path of asked.length > 0 ? asked : standard) {
      const result = await measure(`http://localhost:${site.port}${path}`, executablePath)
      console.log(
        `${path}: ${measured.map((name) => `${name} ${percent(result.categories[name].score)}`).join(', ')}`,
      )
      console.log(`  ${timings(result)}`)
      for (const fault of flawless.flatMap((name) => faults(result, name)))
        console.log(`  ${fault}`)
      if (flawless.some((name) => percent(result.categories[name].score) < 100))
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
