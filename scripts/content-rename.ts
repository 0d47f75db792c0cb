/** `npm run content:rename -- blog/old-name blog/new-name`: moves an entry, mends the links to it, and adds the redirect, in one step. */
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { isSeq, parseDocument, YAMLMap, YAMLSeq } from 'yaml'
import { placeOf } from '../server/content/compile/text-place'
import { processSettings } from '../server/env'
import { industries } from '../shared/routes/availability'
import { pathOf } from '../shared/routes/match'
import { routeOfCollection } from '../shared/routes/table'

type Place = { collection: Parameters<typeof entryPath>[0]; id: string }

/** Unprefixed path of an entry. An industry has two in the languages of the site, and its id is bound to a table: it is not renamed here. */
function entryPath(collection: keyof typeof routeOfCollection, id: string): string {
  const route = routeOfCollection[collection]
  return pathOf(route, route === 'single' ? { html: id } : { id })
}

function readPlace(name: string | undefined): Place {
  const place = placeOf(`${name ?? ''}/en.md`)
  if (!place) throw new Error('usage: npm run content:rename -- blog/old-name blog/new-name')
  if ('reason' in place) throw new Error(place.reason)
  return place
}

function markdownBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? markdownBelow(path) : entry.name.endsWith('.md') ? [path] : []
  })
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Links of Markdown and of front matter to a path, whatever query or anchor follows; a longer path is another page. */
export const withNewLinks = (source: string, from: string, to: string): string =>
  source.replace(new RegExp(`(?<=[("'\\s:])${escaped(from)}(?=[)"'\\s?#]|$)`, 'gm'), to)

/** `related` of the entry's own collection names ids. */
function withNewRelated(source: string, from: Place, to: Place): string {
  return source.replace(/^related:.*(?:\n {2,}- .*)*$/m, (block) =>
    block.replace(new RegExp(`(?<=[["'\\s,])${escaped(from.id)}(?=["'\\s,\\]]|$)`, 'g'), to.id),
  )
}

/** The table with one more row, its comments kept. Rows that led to the old address lead to the new one at once. */
function withRow(source: string, from: string, to: string): string {
  const document = parseDocument(source)
  if (document.errors.length > 0)
    throw new Error(`redirects.yaml: ${document.errors[0]?.message ?? 'cannot be read'}`)
  const rows = isSeq(document.contents) ? document.contents : new YAMLSeq()
  // A row that starts where the entry now lies would win over it.
  rows.items = rows.items.filter(
    (row) => !(row instanceof YAMLMap && row.get('from') === to && row.get('to') === from),
  )
  for (const row of rows.items)
    if (row instanceof YAMLMap && typeof row.get('to') === 'string')
      row.set('to', withNewLinks(` ${String(row.get('to'))}`, from, to).slice(1))
  const added = document.createNode({ from, to })
  if (added instanceof YAMLMap) added.flow = true
  rows.add(added)
  rows.flow = false
  document.contents = rows as unknown as typeof document.contents // the parser's type knows only the nodes that it read itself
  return document.toString({ lineWidth: 0 })
}

function rename(): void {
  const [fromName, toName] = process.argv.slice(2)
  const from = readPlace(fromName)
  const to = readPlace(toName)
  if (from.collection === 'industries' || to.collection === 'industries')
    throw new Error(
      `the ${industries.length} industries have fixed ids (shared/routes/availability.ts)`,
    )
  if (from.collection !== to.collection)
    throw new Error('an entry stays in its collection: each takes other front matter')
  const content = processSettings(resolve(__dirname, '..')).CONTENT_DIR
  const folder = (place: Place): string => join(content, place.collection, place.id)
  if (!existsSync(folder(from))) throw new Error(`there is no ${fromName}`)
  if (existsSync(folder(to))) throw new Error(`${toName} is there already`)

  const [oldPath, newPath] = [entryPath(from.collection, from.id), entryPath(to.collection, to.id)]
  const table = join(content, 'redirects.yaml')
  // Everything that can fail is read and worked out before the first file is written.
  const redirects = withRow(existsSync(table) ? readFileSync(table, 'utf8') : '', oldPath, newPath)
  const changed = markdownBelow(content).flatMap((path) => {
    const before = readFileSync(path, 'utf8')
    const linked = withNewLinks(before, oldPath, newPath)
    const after = relative(content, path).startsWith(`${from.collection}/`)
      ? withNewRelated(linked, from, to)
      : linked
    return after === before ? [] : [{ path, after }]
  })
  for (const { path, after } of changed) writeFileSync(path, after)
  renameSync(folder(from), folder(to))
  writeFileSync(table, redirects)
  console.log(
    `${oldPath} is ${newPath} now: ${changed.length} files with links mended, one redirect added`,
  )
}

if (require.main === module) {
  try {
    rename()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
