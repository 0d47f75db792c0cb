import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isSeq, parseDocument, YAMLMap, YAMLSeq } from 'yaml'
import { parseContentPath } from '../server/content/compile/content-path'
import { industries } from '../shared/routes/availability'
import { pathOf } from '../shared/routes/path-of'
import { routeOfCollection } from '../shared/routes/table'

type Entry = { collection: Parameters<typeof entryPath>[0]; id: string }

/** Path of an entry without a language prefix. */
function entryPath(collection: keyof typeof routeOfCollection, id: string): string {
  const route = routeOfCollection[collection]
  return pathOf(route, route === 'single' ? { html: id } : { id })
}

function parseEntry(name: string | undefined): Entry {
  const entry = parseContentPath(`${name ?? ''}/en.md`)
  if (!entry) throw new Error('usage: npm run content:rename -- blog/old-name blog/new-name')
  if ('reason' in entry) throw new Error(entry.reason)
  return entry
}

/** Paths of the files whose text may link to an entry. */
function listTexts(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return listTexts(path)
    return /\.(?:md|yaml)$/.test(entry.name) && entry.name !== 'redirects.yaml' ? [path] : []
  })
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * Replaces the links to a path in Markdown and YAML, also those with a query or an anchor.
 * Links to longer paths are not changed.
 */
const replaceLinks = (source: string, from: string, to: string): string =>
  source.replace(new RegExp(`(?<=[("'\\s:])${escapeRegExp(from)}(?=[)"'\\s?#]|$)`, 'gm'), to)

/** Replaces the id in the `related` lists of the same collection. */
function replaceRelated(source: string, from: Entry, to: Entry): string {
  return source.replace(/^related:.*(?:\n {2,}- .*)*$/m, (block) =>
    block.replace(
      new RegExp(`(?<=[["'\\s,])${escapeRegExp(from.id)}(?=["'\\s,\\]]|$)`, 'g'),
      to.id,
    ),
  )
}

/**
 * Adds a row to the redirect table and keeps its comments. Rows that led to the old path then lead
 * directly to the new one.
 */
function addRedirect(source: string, from: string, to: string): string {
  const document = parseDocument(source)
  if (document.errors.length > 0)
    throw new Error(`redirects.yaml: ${document.errors[0]?.message ?? 'cannot be read'}`)
  const rows = isSeq(document.contents) ? document.contents : new YAMLSeq()
  // A redirect from the new path would take precedence over the entry.
  rows.items = rows.items.filter(
    (row) => !(row instanceof YAMLMap && row.get('from') === to && row.get('to') === from),
  )
  if (rows.items.some((row) => row instanceof YAMLMap && row.get('from') === to))
    throw new Error(`redirects.yaml redirects ${to}: remove that row first`)
  for (const row of rows.items)
    if (row instanceof YAMLMap && typeof row.get('to') === 'string')
      row.set('to', replaceLinks(` ${String(row.get('to'))}`, from, to).slice(1))
  const added = document.createNode({ from, to })
  if (added instanceof YAMLMap) added.flow = true
  rows.add(added)
  rows.flow = false
  // The type of `contents` only includes nodes that the parser itself created.
  document.contents = rows as unknown as typeof document.contents
  return document.toString({ lineWidth: 0 })
}

/** Renames an entry of a content folder, and returns what it did. */
export function renameEntry(
  contentDir: string,
  fromName: string | undefined,
  toName: string | undefined,
): string {
  const from = parseEntry(fromName)
  const to = parseEntry(toName)
  if (from.collection === 'industries' || to.collection === 'industries')
    throw new Error(
      `the ${industries.length} industries have fixed ids (shared/routes/availability.ts)`,
    )
  if (from.collection !== to.collection)
    throw new Error(
      'an entry stays in its collection: collections have different front matter fields',
    )
  const folderOf = (entry: Entry): string => join(contentDir, entry.collection, entry.id)
  if (!existsSync(folderOf(from))) throw new Error(`there is no ${fromName}`)
  if (existsSync(folderOf(to))) throw new Error(`${toName} already exists`)

  const [oldPath, newPath] = [entryPath(from.collection, from.id), entryPath(to.collection, to.id)]
  const table = join(contentDir, 'redirects.yaml')
  // Read and compute everything before the first write, so that a failure changes nothing.
  const redirects = addRedirect(
    existsSync(table) ? readFileSync(table, 'utf8') : '',
    oldPath,
    newPath,
  )
  const changed = listTexts(contentDir).flatMap((path) => {
    const before = readFileSync(path, 'utf8')
    const linked = replaceLinks(before, oldPath, newPath)
    const after = relative(contentDir, path).startsWith(`${from.collection}/`)
      ? replaceRelated(linked, from, to)
      : linked
    return after === before ? [] : [{ path, after }]
  })
  for (const { path, after } of changed) writeFileSync(path, after)
  renameSync(folderOf(from), folderOf(to))
  writeFileSync(table, redirects)
  return `${oldPath} is now ${newPath}: links updated in ${changed.length} files, one redirect added`
}
