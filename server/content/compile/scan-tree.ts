import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A file: path below its root with `/`, modification time, size (bytes). Whole ms, because copies of
 * a file keep no smaller parts of its time, and would be compiled again.
 */
export type SourceFile = { path: string; modified: number; size: number }

/** `collection/id/locale.md` and files beside it. */
const maxDepth = 3

/** Hidden files, and the temporary files of editors. */
const isIgnored = (name: string): boolean =>
  name.startsWith('.') || name.endsWith('~') || name.endsWith('.tmp')

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return [] // removed since it was listed
  }
}

/**
 * Files of a tree that `accept` selects, and all its folders, so that the caller can watch them.
 * `under` limits the scan to one folder of the tree.
 */
export function scanTree(
  root: string,
  accept: (path: string) => boolean,
  under = '',
): { files: SourceFile[]; folders: string[] } {
  const files: SourceFile[] = []
  const folders: string[] = []
  const walk = (relative: string, depth: number): void => {
    const absolute = relative === '' ? root : join(root, relative)
    folders.push(absolute)
    for (const entry of entriesOf(absolute)) {
      if (isIgnored(entry.name)) continue
      const path = relative === '' ? entry.name : `${relative}/${entry.name}`
      if (entry.isDirectory()) {
        if (depth < maxDepth) walk(path, depth + 1)
      } else if (accept(path)) {
        const stat = statSync(join(root, path), { throwIfNoEntry: false })
        if (stat?.isFile())
          files.push({ path, modified: Math.round(stat.mtimeMs), size: stat.size })
      }
    }
  }
  walk(under, under === '' ? 0 : under.split('/').length)
  return { files, folders }
}
