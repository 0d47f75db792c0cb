import { join } from 'node:path'
import type { Connection } from '../database'
import { sourceHash } from './compile-article'
import type { Problem } from './front-matter'
import { readOptional } from './read-source'
import { linkReason, type ScannedTree, type SourceFile } from './scan-tree'

/** Folders, and what the compiled form depends on besides their files. */
export type Sources = {
  content: string
  locales: string
  /** Articles name pictures of this folder by `/…`. */
  public: string
  /** An id that changes with the compiler. */
  compiler: string
  /** An id that changes with the rules of URLs, which redirects and search pages depend on. */
  routes: string
  /** Script of the threads that compile many files; without it, one thread compiles everything. */
  worker?: string
}
/** What one run of the compiler has changed so far. */
export type CompilePass = {
  /** Surrogate tags of everything that changed. */
  tags: Set<string>
  compiled: number
  unchanged: number
  removed: number
}

export type SourceFiles = ReturnType<typeof createSourceFiles>

const shadowedReason = 'no page shows this text: '

function createProblemStore(db: Connection) {
  const remove = db.prepare('DELETE FROM problems WHERE file = ?')
  const removeOfScan = db.prepare<[string, string, string]>(
    "DELETE FROM problems WHERE file >= ? AND file < ? AND (file LIKE '%/' OR reason = ?)",
  )
  const removeShadowed = db.prepare<[string]>('DELETE FROM problems WHERE reason LIKE ?')
  const insert = db.prepare('INSERT INTO problems VALUES (?, ?, ?)')
  const all = db.prepare<[], Problem>('SELECT * FROM problems ORDER BY file, line')
  return {
    /** Replaces the problems of a file, or of a folder, whose name here ends with a slash. */
    report: (file: string, problems: ReadonlyArray<Omit<Problem, 'file'>>): void => {
      remove.run(file)
      for (const { line, reason } of problems) insert.run(file, line, reason)
    },
    reportLink: (link: string): void => void insert.run(link, 1, linkReason),
    /** Removes what a scan reports: folders and links. */
    removeOfScan: (from: string, to: string): void => void removeOfScan.run(from, to, linkReason),
    /** Replaces what was reported of entries whose address shows something else. */
    reportShadowed: (texts: ReadonlyArray<{ file: string; shadow: string }>): void => {
      removeShadowed.run(`${shadowedReason}%`)
      for (const { file, shadow } of texts) insert.run(file, 1, `${shadowedReason}${shadow}`)
    },
    all: (): Problem[] => all.all(),
  }
}

/**
 * Remembers which source files have been compiled, and the problems of each. A file's key is its
 * path with the name of its tree, such as `content/blog/proxy-types/en.md`.
 */
export function createSourceFiles(db: Connection) {
  const find = db.prepare<[string], { modified: number; size: number; hash: string }>(
    'SELECT modified, size, hash FROM files WHERE path = ?',
  )
  const save = db.prepare('INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)')
  const remove = db.prepare('DELETE FROM files WHERE path = ?')
  const below = db.prepare<[string, string], { path: string }>(
    'SELECT path FROM files WHERE path >= ? AND path < ?',
  )
  const problems = createProblemStore(db)

  return {
    /**
     * Reads a file if its size, time or `stamp` changed; null where its content and salt did not.
     * A file that cannot be read is reported and counts as unchanged.
     * The stamp changes with everything else that the compiled form may depend on, the salt of a
     * source with what it does depend on.
     */
    readChanged(
      key: string,
      root: string,
      { path, modified, size }: SourceFile,
      stamp = '',
      saltOf: (source: string) => string = () => '',
    ): { source: string; hash: string } | null {
      const known = find.get(key)
      const isSame = known?.modified === modified && known.size === size
      if (isSame && known.hash.startsWith(`${stamp}:`)) return null
      const read = readOptional(join(root, path))
      if ('problem' in read) {
        problems.report(key, [read.problem])
        // Without a hash, each run tries to read it again.
        save.run(key, modified, size, '')
        return null
      }
      // It may have been removed since it was listed. The next run notices that.
      if (read.source === null) return null
      const { source } = read
      const hash = sourceHash(source, saltOf(source))
      save.run(key, modified, size, `${stamp}:${hash}`)
      return known?.hash.endsWith(`:${hash}`) ? null : { source, hash }
    },
    /**
     * Forgets files of a tree that do not exist any more, and returns their keys. `under` is the
     * folder that was scanned. Folders that cannot be read are reported and keep their files;
     * symbolic links are reported and have none.
     */
    removeMissing(
      tree: 'content' | 'locales',
      under: string,
      { files, unreadable, links }: ScannedTree,
    ): string[] {
      const keyOf = (folder: string): string => (folder === '' ? `${tree}/` : `${tree}/${folder}/`)
      const range = [keyOf(under), `${keyOf(under)}\uFFFF`] as const
      problems.removeOfScan(...range)
      for (const { path, reason } of unreadable) problems.report(keyOf(path), [{ line: 1, reason }])
      const existing = new Set(files.map(({ path }) => `${tree}/${path}`))
      const missing = below
        .all(...range)
        .map(({ path }) => path)
        .filter((key) => !existing.has(key))
        .filter((key) => !unreadable.some(({ path }) => key.startsWith(keyOf(path))))
      for (const key of missing) {
        remove.run(key)
        problems.report(key, [])
      }
      for (const link of links) problems.reportLink(`${tree}/${link}`)
      return missing
    },
    report: problems.report,
    reportShadowed: problems.reportShadowed,
    problems: problems.all,
  }
}
