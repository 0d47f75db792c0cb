import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A source below one of the folders: path relative to it with `/`, modification time (ms) and size (bytes). */
export type SourceFile = { path: string; modified: number; size: number }

const hidden = (name: string): boolean =>
  name.startsWith('.') || name.endsWith('~') || name.endsWith('.tmp')

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return [] // removed meanwhile
  }
}

/**
 * Files of a tree, at most three folders deep (`collection/id/locale.md`), and every folder met, so that the caller can
 * watch it. `under` limits the walk to one folder of the tree.
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
      if (hidden(entry.name)) continue
      const path = relative === '' ? entry.name : `${relative}/${entry.name}`
      if (entry.isDirectory()) {
        if (depth < 3) walk(path, depth + 1)
      } else if (accept(path)) {
        const stat = statSync(join(root, path), { throwIfNoEntry: false })
        if (stat?.isFile()) files.push({ path, modified: stat.mtimeMs, size: stat.size })
      }
    }
  }
  walk(under, under === '' ? 0 : under.split('/').length)
  return { files, folders }
}
