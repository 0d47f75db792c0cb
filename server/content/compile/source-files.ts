import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Connection } from '../database'
import { sourceHash } from './compile-article'
import type { Problem } from './front-matter'
import type { SourceFile } from './scan-tree'

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
  const removeProblems = db.prepare('DELETE FROM problems WHERE file = ?')
  const insertProblem = db.prepare('INSERT INTO problems VALUES (?, ?, ?)')
  const allProblems = db.prepare<[], Problem>('SELECT * FROM problems ORDER BY file, line')

  return {
    /**
     * Reads a file if its size, time or `stamp` changed; null where its content and salt did not.
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
      const source = readFileSync(join(root, path), 'utf8')
      const hash = sourceHash(source, saltOf(source))
      save.run(key, modified, size, `${stamp}:${hash}`)
      return known?.hash.endsWith(`:${hash}`) ? null : { source, hash }
    },
    /** Forgets files below a prefix that do not exist any more, and returns their keys. */
    removeMissing(prefix: string, existing: ReadonlySet<string>): string[] {
      const keys = below.all(prefix, `${prefix}\uFFFF`).map((row) => row.path)
      const missing = keys.filter((key) => !existing.has(key))
      for (const key of missing) {
        remove.run(key)
        removeProblems.run(key)
      }
      return missing
    },
    /** Replaces the problems of a file. */
    report(file: string, problems: ReadonlyArray<Omit<Problem, 'file'>>): void {
      removeProblems.run(file)
      for (const { line, reason } of problems) insertProblem.run(file, line, reason)
    },
    problems: (): Problem[] => allProblems.all(),
  }
}
