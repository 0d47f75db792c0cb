/**
 * Measures the size of the home page's HTML in every language, and of the JavaScript and styles
 * that the HTML of three pages loads, both as Brotli. The last row is the JavaScript loaded after
 * the first paint.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildId } from '../scripts/build-id.mjs'
import { allLocales, type HostName } from '../shared/i18n/locales'
import { href } from '../shared/routes/href'
import { pageFileOf } from '../shared/routes/table'
import { atMost, report, type Row } from './report'
import { get, root, startSite } from './servers'

type Group = { js: string[]; css: string[] }
type Manifest = { main: Group; pages: Record<string, Group> }

/** With its headers, HTML of this size fits into the first TCP congestion window. */
const maxHtmlBytes = 14_000
/** Of all scripts that the HTML names, compressed, by page. */
const maxScriptBytes = { home: 85_000, doc: 80_000 }
const hosts: Readonly<Record<HostName, string>> = {
  en: 'localhost',
  zh: 'zh.localhost',
  ru: 'ru.localhost',
}
const client = join(root, 'dist', buildId(root), 'client')
const manifest = JSON.parse(readFileSync(join(client, '..', 'assets.json'), 'utf8')) as Manifest
/** Bytes on the wire: of the compressed file, or of the file itself where the build made none. */
const size = (file: string): number =>
  (statSync(join(client, `${file}.br`), { throwIfNoEntry: false }) ?? statSync(join(client, file)))
    .size
const sum = (files: readonly string[]): number =>
  files.reduce((total, file) => total + size(file), 0)

/** Size of home in every language, in its smallest compressed form. */
async function homes(): Promise<Row[]> {
  const site = await startSite({ LOG_LEVEL: 'warn' })
  try {
    const rows: Row[] = []
    for (const { code, domain } of allLocales) {
      const headers = { host: `${hosts[domain]}:${site.port}`, 'accept-encoding': 'br' }
      for (let round = 0; round < 40; round += 1)
        await get(site.port, href(code, 'home', {}), headers)
      await sleep(700)
      const {
        body,
        rawHeaders,
        headers: sent,
      } = await get(site.port, href(code, 'home', {}), headers)
      rows.push({
        page: `home ${code}`,
        'HTML bytes': body.length,
        'headers bytes': rawHeaders.reduce((sum, part) => sum + part.length + 2, 0),
        encoding: String(sent['content-encoding']),
      })
    }
    return rows
  } finally {
    await site.stop()
  }
}

function scripts(): Row[] {
  const first = new Set<string>()
  const rows = (['home', 'blog-article', 'doc'] as const).map((route): Row => {
    const pageAssets = manifest.pages[pageFileOf(route)] ?? { js: [], css: [] }
    const js = [...manifest.main.js, ...pageAssets.js]
    js.forEach((file) => first.add(file))
    return {
      page: route,
      'script bytes': sum(js),
      'styles bytes': sum([...manifest.main.css, ...pageAssets.css]),
      files: js.map((file) => `${file.replace('/assets/', '')} ${size(file)}`).join(', '),
    }
  })
  const pageFiles = new Set(Object.values(manifest.pages).flatMap(({ js }) => js))
  const late = readdirSync(join(client, 'assets'))
    .filter((file) => file.endsWith('.js'))
    .map((file) => `/assets/${file}`)
    .filter((file) => !first.has(file) && !pageFiles.has(file))
  return [
    ...rows,
    {
      page: 'after the first paint, as needed',
      'script bytes': sum(late),
      files: late.map((file) => `${file.replace('/assets/', '')} ${size(file)}`).join(', '),
    },
  ]
}

async function main(): Promise<void> {
  const html = await homes()
  const largest = Math.max(...html.map((row) => Number(row['HTML bytes'])))
  const script = scripts()
  report(
    'weight',
    [...html, ...script],
    [`build ${buildId(root)}; bytes on the wire, Brotli`],
    [
      atMost(
        'HTML of home, Brotli, English',
        maxHtmlBytes,
        'bytes',
        Number(html.find(({ page }) => page === 'home en')?.['HTML bytes']),
        String(html.find(({ page }) => page === 'home en')?.['HTML bytes']),
      ),
      atMost(
        'the same, the largest of all languages',
        maxHtmlBytes,
        'bytes',
        largest,
        String(largest),
      ),
      ...Object.entries(maxScriptBytes).map(([page, most]) => {
        const bytes = Number(script.find((row) => row['page'] === page)?.['script bytes'])
        return atMost(`scripts of ${page}, Brotli`, most, 'bytes', bytes, String(bytes))
      }),
    ],
  )
}

void main()
