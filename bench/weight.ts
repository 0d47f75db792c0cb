/** JavaScript of the first visit, compressed: what the HTML of a page names. What follows after the first paint stands below it. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildId } from '../scripts/build-id.mjs'
import { pageFileOf } from '../shared/routes/page-file'

type Group = { js: string[]; css: string[] }
type Manifest = { main: Group; pages: Record<string, Group> }

const root = join(__dirname, '..')
const client = join(root, 'dist', buildId(root), 'client')
const manifest = JSON.parse(readFileSync(join(client, '..', 'assets.json'), 'utf8')) as Manifest
/** Bytes on the wire: of the file that the build compressed, where it was worth it. */
const size = (file: string): number => (statSync(join(client, `${file}.br`), { throwIfNoEntry: false }) ?? statSync(join(client, file))).size
const sum = (files: readonly string[]): number => files.reduce((total, file) => total + size(file), 0)
const kb = (bytes: number): string => `${(bytes / 1000).toFixed(1)} KB`.padStart(9)

console.log(`build ${buildId(root)}, Brotli; the budget is 100 KB of script for a first visit`)
const first = new Set<string>()
for (const route of ['home', 'blog-article', 'doc']) {
  const own = manifest.pages[pageFileOf(route)] ?? { js: [], css: [] }
  const js = [...manifest.main.js, ...own.js]
  js.forEach((file) => first.add(file))
  console.log(`${route.padEnd(13)} script ${kb(sum(js))}: ${js.map((file) => `${file.replace('/assets/', '')} ${kb(size(file)).trim()}`).join(', ')}; styles ${kb(sum([...manifest.main.css, ...own.css])).trim()}`)
}
const pageFiles = new Set(Object.values(manifest.pages).flatMap(({ js }) => js))
const late = readdirSync(join(client, 'assets')).filter((file) => file.endsWith('.js')).map((file) => `/assets/${file}`).filter((file) => !first.has(file) && !pageFiles.has(file))
console.log(`after the first paint, as needed: ${late.map((file) => `${file.replace('/assets/', '')} ${kb(size(file)).trim()}`).join(', ')}`)
