import { lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isMissing, unreadable } from './read-source'

/**
 * A file: path below its root with `/`, modification time, size (bytes). Whole ms, because copies
 * of a file keep no smaller parts of its time, and would be compiled again.
 */
export type SourceFile = { path: string; modified: number; size: number }

/** `collection/id/locale.md` and files beside it. */
const maxDepth = 3

/** Hidden files, and the temporary files of editors. */
const isIgnored = (name: string): boolean =>
  name.startsWith('.') || name.endsWith('~') || name.endsWith('.tmp')

export type ScannedTree = {
  files: SourceFile[]
  /** All folders, so that the caller can watch them. */
  folders: string[]
  /** Folders below the root that exist and cannot be read, '' being the root. */
  unreadable: Array<{ path: string; reason: string }>
  /**
   * Symbolic links to folders, and those that are named like a file of the tree. They are left out,
   * because a change of what they lead to would not be noticed.
   */
  links: string[]
}

/** Why a symbolic link is left out, for the author. */
export const linkReason = 'is a symbolic link: not read'

export const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true

function leadsToFolder(link: string): boolean {
  try {
    return statSync(link, { throwIfNoEntry: false })?.isDirectory() === true
  } catch {
    return false
  }
}

/** Path, time and size of a file; null when it does not exist or is not a file. */
function inspectFile(root: string, path: string): SourceFile | null {
  try {
    const stat = statSync(join(root, path), { throwIfNoEntry: false })
    if (!stat?.isFile()) return null
    return { path, modified: Math.round(stat.mtimeMs), size: stat.size }
  } catch {
    // A time that no file has: the file counts as changed, and reading it reports what is wrong.
    return { path, modified: -1, size: 0 }
  }
}

/**
 * Files of a tree that `accept` selects, and all its folders. `under` limits the scan to one folder
 * of the tree.
 */
export function scanTree(root: string, accept: (path: string) => boolean, under = ''): ScannedTree {
  const scanned: ScannedTree = { files: [], folders: [], unreadable: [], links: [] }
  const entriesOf = (folder: string, path: string) => {
    try {
      return readdirSync(folder, { withFileTypes: true })
    } catch (error) {
      // A missing one was removed since it was listed.
      if (!isMissing(error)) scanned.unreadable.push({ path, reason: unreadable(error) })
      return []
    }
  }
  const walk = (relative: string, depth: number): void => {
    const absolute = relative === '' ? root : join(root, relative)
    scanned.folders.push(absolute)
    for (const entry of entriesOf(absolute, relative)) {
      if (isIgnored(entry.name)) continue
      const path = relative === '' ? entry.name : `${relative}/${entry.name}`
      if (entry.isDirectory()) {
        if (depth < maxDepth) walk(path, depth + 1)
      } else if (entry.isSymbolicLink()) {
        if (accept(path) || leadsToFolder(join(root, path))) scanned.links.push(path)
      } else if (accept(path)) {
        const file = inspectFile(root, path)
        if (file) scanned.files.push(file)
      }
    }
  }
  walk(under, under === '' ? 0 : under.split('/').length)
  return scanned
}
