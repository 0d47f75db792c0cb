import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLocaleCode } from '../../../shared/i18n/locales'
import { namespaces } from '../../../shared/i18n/namespaces'
import { compileArticle, sourceHash, type CompiledArticle } from './compile-article'
import { readGeneration, type Connection } from '../database'
import { compileRedirects } from './compile-redirects'
import { createContentState } from '../store/content-state'
import { parseYaml, type Problem } from './front-matter'
import { createOutline } from '../store/outline'
import { createPictureReader, isPictureFile, pictureStamp } from './pictures'
import { createDiagramReader } from './read-diagram'
import { redirectsFile } from './redirect-rows'
import { scanTree, type SourceFile } from './scan'
import { siteConfigSchema } from '../site-config'
import { placeOf } from './text-place'
import { createWriter } from './write-articles'
import { createPageWriter } from './write-pages'

export type Sources = {
  content: string
  locales: string
  /** Where texts find pictures of `/…`. */ public: string
  /** Changes when the compiler does. */ compiler: string
}
export type Report = {
  compiled: number
  removed: number
  unchanged: number
  problems: Problem[]
  generation: number
  changed: boolean
  folders: string[]
  milliseconds: number
}

const isArticle = (path: string): boolean => path.endsWith('.md')
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))
const isTexts = (path: string): boolean => /^[^/]+\/[^/]+\.json$/.test(path)

/**
 * Brings the content database up to date with `content/` and `locales/`: only files whose size or time changed are
 * read, only those whose hash changed are compiled. All of it becomes visible at once, as one new generation, with the
 * surrogate tags of what changed. `under` limits the look to one folder of an article.
 */
export function createCompiler(
  db: Connection,
  sources: Sources,
): (under?: readonly string[]) => Report {
  const meta = {
    get: db.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?'),
    set: db.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)'),
  }
  const document = {
    get: db.prepare<[string], { json: string }>('SELECT json FROM documents WHERE name = ?'),
    set: db.prepare('INSERT OR REPLACE INTO documents VALUES (?, ?)'),
  }
  const setText = db.prepare('INSERT OR REPLACE INTO texts VALUES (?, ?, ?)')
  const dropText = db.prepare('DELETE FROM texts WHERE locale = ? AND namespace = ?')
  const file = {
    get: db.prepare<[string], { modified: number; size: number; hash: string }>(
      'SELECT modified, size, hash FROM files WHERE path = ?',
    ),
    set: db.prepare('INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)'),
    drop: db.prepare('DELETE FROM files WHERE path = ?'),
    below: db.prepare<[string, string], { path: string }>(
      'SELECT path FROM files WHERE path >= ? AND path < ?',
    ),
  }
  const problems = {
    drop: db.prepare('DELETE FROM problems WHERE file = ?'),
    add: db.prepare('INSERT INTO problems VALUES (?, ?, ?)'),
    all: db.prepare<[], Problem>('SELECT * FROM problems ORDER BY file, line'),
  }
  const addChange = db.prepare('INSERT INTO changes VALUES (?, ?)')
  const writer = createWriter(db)
  const writePages = createPageWriter(db)
  const outline = createOutline(db)
  const state = createContentState(db)
  const [picturesOf, diagramsOf] = [
    createPictureReader(sources),
    createDiagramReader(sources.content),
  ]

  type Pass = {
    tags: Set<string>
    /** Texts of articles that are new. */ written: Array<
      Pick<CompiledArticle, 'collection' | 'id' | 'locale'>
    >
    compiled: number
    unchanged: number
    removed: number
  }

  /** Reads a file whose stat changed; null when its content did not. The key in `files` bears the tree's name. */
  function changedSource(
    tree: string,
    root: string,
    found: SourceFile,
    salt: string,
  ): { key: string; source: string; hash: string } | null {
    const key = `${tree}/${found.path}`
    const known = file.get.get(key)
    if (
      known &&
      known.modified === found.modified &&
      known.size === found.size &&
      known.hash.startsWith(salt)
    )
      return null
    const source = readFileSync(join(root, found.path), 'utf8')
    const hash = `${salt}${sourceHash(source, salt)}`
    file.set.run(key, found.modified, found.size, hash)
    return known?.hash === hash ? null : { key, source, hash }
  }

  const report = (key: string, found: readonly Problem[]): void => {
    problems.drop.run(key)
    for (const problem of found) problems.add.run(key, problem.line, problem.reason)
  }

  /** The site's configuration: the last good one stays when the new one is broken. */
  function readSite(pass: Pass): { brand: string; pre_sales?: boolean } {
    const source = readOptional(join(sources.content, 'site.yaml'))
    const before = document.get.get('site')?.json
    const parsed = source === null ? null : parseYaml(source, siteConfigSchema)
    const wrong =
      parsed === null
        ? [{ line: 1, reason: 'the file is missing' }]
        : parsed.ok
          ? []
          : parsed.problems
    report(
      'content/site.yaml',
      wrong.map((problem) => ({ file: 'content/site.yaml', ...problem })),
    )
    const next = parsed?.ok
      ? parsed.value
      : before
        ? (JSON.parse(before) as { brand: string; pre_sales: boolean })
        : siteConfigSchema.parse({
            brand: 'Website',
            contact: {
              email: 'hello@example.com',
              support: 'hello@example.com',
              abuse: 'hello@example.com',
            },
          })
    const json = JSON.stringify(next)
    if (json !== before) {
      document.set.run('site', json)
      pass.tags.add('site')
    }
    return next
  }

  /** The redirect table: checked again when it has changed, because the check walks over every row and language. */
  function readRedirects(pass: Pass, preSales: boolean): void {
    const source = readOptional(join(sources.content, 'redirects.yaml')) ?? ''
    const hash = sourceHash(source, sources.compiler)
    if (meta.get.get('redirects')?.value === hash) return
    const { rows, problems: found } = compileRedirects(source, db, preSales)
    report(redirectsFile, found)
    document.set.run('redirects', JSON.stringify(rows))
    meta.set.run('redirects', hash)
    pass.tags.add('redirects')
  }

  function readTexts(pass: Pass): string[] {
    const { files, folders } = scanTree(sources.locales, isTexts)
    for (const found of files) {
      const [locale = '', name = ''] = found.path.replace(/\.json$/, '').split('/')
      if (!isLocaleCode(locale) || !(namespaces as readonly string[]).includes(name)) continue
      const changed = changedSource('locales', sources.locales, found, '')
      if (!changed) continue
      try {
        setText.run(locale, name, JSON.stringify(JSON.parse(changed.source)))
        report(changed.key, [])
        pass.tags.add(`locale:${locale}`)
        pass.compiled += 1
      } catch (error) {
        report(changed.key, [jsonProblem(changed.key, changed.source, error)])
      }
    }
    removeMissing('locales/', new Set(files.map(({ path }) => `locales/${path}`)), pass, (path) => {
      const [locale = '', name = ''] = path
        .slice('locales/'.length)
        .replace(/\.json$/, '')
        .split('/')
      dropText.run(locale, name)
      pass.tags.add(`locale:${locale}`)
    })
    return folders
  }

  function readArticles(pass: Pass, brand: string, under: readonly string[]): string[] {
    const salt = `${sourceHash(brand, sources.compiler).slice(0, 8)}:`
    const folders: string[] = []
    for (const part of under) {
      const scanned = scanTree(
        sources.content,
        (path) => isArticle(path) || isPictureFile(path),
        part,
      )
      folders.push(...scanned.folders)
      const articles = scanned.files.filter(({ path }) => isArticle(path))
      const pictures = new Map<string, SourceFile[]>()
      for (const found of scanned.files)
        if (isPictureFile(found.path))
          pictures.set(folderOf(found.path), [...(pictures.get(folderOf(found.path)) ?? []), found])
      for (const found of articles)
        readArticle(
          pass,
          brand,
          `${salt}${pictureStamp(pictures.get(folderOf(found.path)) ?? [])}:`,
          found,
        )
      const prefix = part === '' ? 'content/' : `content/${part}/`
      removeMissing(prefix, new Set(articles.map(({ path }) => `content/${path}`)), pass, (key) =>
        writer.remove(key).forEach((tag) => pass.tags.add(tag)),
      )
    }
    return folders
  }

  function readArticle(pass: Pass, brand: string, salt: string, found: SourceFile): void {
    const place = placeOf(found.path)
    if (!place) return
    const changed = changedSource('content', sources.content, found, salt)
    if (!changed) {
      pass.unchanged += 1
      return
    }
    const result: CompiledArticle | Problem[] =
      'reason' in place
        ? [{ file: changed.key, line: 1, reason: place.reason }]
        : compileArticle(
            changed.key,
            place,
            changed.source,
            brand,
            picturesOf(place),
            diagramsOf(place),
          )
    report(changed.key, Array.isArray(result) ? result : result.problems)
    const tags = Array.isArray(result)
      ? writer.remove(changed.key)
      : writer.save(changed.key, changed.hash, result)
    for (const tag of tags) pass.tags.add(tag)
    if (!Array.isArray(result))
      pass.written.push({ collection: result.collection, id: result.id, locale: result.locale })
    pass.compiled += 1
  }

  function removeMissing(
    prefix: string,
    present: ReadonlySet<string>,
    pass: Pass,
    remove: (key: string) => void,
  ): void {
    for (const { path } of file.below.all(prefix, `${prefix}\uFFFF`)) {
      if (present.has(path)) continue
      remove(path)
      file.drop.run(path)
      problems.drop.run(path)
      pass.removed += 1
    }
  }

  return (under = ['']) => {
    const started = performance.now()
    const pass: Pass = { tags: new Set(), written: [], compiled: 0, unchanged: 0, removed: 0 }
    let folders: string[] = []
    let generation = 0
    db.transaction(() => {
      const { brand, pre_sales: preSales = false } = readSite(pass)
      // A new brand enters every text, so a look at one folder becomes a look at all.
      folders = [
        ...readTexts(pass),
        ...readArticles(pass, brand, pass.tags.has('site') ? [''] : under),
      ]
      writePages(brand, sources.compiler, pass.tags)
      readRedirects(pass, preSales)
      for (const tag of [...writer.publishDue(Date.now()), ...writer.leadingTo(pass.written)])
        pass.tags.add(tag)
      outline.due(pass.tags)
      const before = readGeneration(db)
      // The first generation is only there when all of it is; later ones don't wait for the counts.
      if (before === 0) outline.refresh()
      generation = before + (pass.tags.size > 0 || before === 0 ? 1 : 0)
      meta.set.run('generation', String(generation))
      if (generation !== before) {
        for (const tag of pass.tags) addChange.run(generation, tag)
        state.refresh()
      }
      db.prepare('DELETE FROM changes WHERE generation < ?').run(generation - 1000)
    })()
    db.transaction(() => {
      if (outline.refresh()) meta.set.run('generation', String((generation += 1)))
    })()
    return {
      compiled: pass.compiled,
      removed: pass.removed,
      unchanged: pass.unchanged,
      problems: problems.all.all(),
      generation,
      changed: pass.tags.size > 0,
      folders,
      milliseconds: performance.now() - started,
    }
  }
}

function readOptional(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

function jsonProblem(file: string, source: string, error: unknown): Problem {
  const message = error instanceof Error ? error.message : String(error)
  const position = Number(/position (\d+)/.exec(message)?.[1] ?? 0)
  return { file, line: source.slice(0, position).split('\n').length, reason: message }
}
