import { lstatSync, statSync, watch, type FSWatcher } from 'node:fs'
import { sep } from 'node:path'
import { errorCode } from '../../errors'

type Options = {
  roots: readonly string[]
  /** Every folder below the roots, as the last scan found them. */
  folders: readonly string[]
  /** Called with the folders that changed. Returns all folders that it found below them. */
  onChange: (folders: readonly string[]) => readonly string[]
  /** Time for an editor to finish its writes. */
  settleMs?: number
}

/** How often everything is scanned where the system allows no more watches. */
const pollIntervalMs = 2000
/** How often the roots are compared with what is watched. */
const rootIntervalMs = 1000

/** A watcher, and the folder that it belongs to: another one may have the same path later. */
type Watched = { watcher: FSWatcher; identity: string }

/**
 * Watches folders, not files: an article's folder is the unit of compilation, so 100,000 articles
 * need 100,000 small watches and no polling. When the system's limit of watches is reached, the
 * roots are scanned at intervals instead.
 *
 * The system watches a folder, not its path. One that was replaced by another is noticed in the
 * scan that the change above it causes. Nothing above the roots is watched, so they are compared at
 * intervals: a deployment may replace them, or switch a symbolic link that leads to them.
 */
export function watchFolders({ roots, folders, onChange, settleMs = 40 }: Options): {
  close: () => void
} {
  const watchers = new Map<string, Watched>()
  const changed = new Set<string>()
  let settleTimer: NodeJS.Timeout | undefined
  let pollTimer: NodeJS.Timeout | undefined

  const identityOf = (path: string): string | null => readIdentity(path, roots.includes(path))
  const isWatched = (path: string): boolean => watchers.get(path)?.identity === identityOf(path)
  const flush = (): void => {
    settleTimer = undefined
    const batch = [...changed]
    changed.clear()
    for (const folder of batch) if (!isWatched(folder)) removeWatchers(watchers, folder)
    // A folder that is watched from now on may have changed since it was scanned.
    onChange(batch).filter(startWatching).forEach(markChanged)
  }
  const markChanged = (folder: string): void => {
    changed.add(folder)
    settleTimer ??= setTimeout(flush, settleMs)
  }
  /** Returns false where the folder is watched already, or cannot be. */
  const startWatching = (path: string): boolean => {
    const identity = identityOf(path)
    const known = watchers.get(path)
    if (identity === null || identity === known?.identity || pollTimer) return false
    try {
      known?.watcher.close()
      const watcher = watch(path, () => markChanged(path))
      watcher.on('error', () => removeWatchers(watchers, path))
      watchers.set(path, { watcher, identity })
      return true
    } catch (error) {
      if (isWatchLimit(error)) pollTimer = setInterval(() => onChange(roots), pollIntervalMs)
      return false
    }
  }
  const checkRoots = (): void => {
    if (pollTimer) return
    for (const root of roots) {
      if (identityOf(root) === null || isWatched(root)) continue
      removeWatchers(watchers, root)
      markChanged(root)
    }
  }
  for (const path of [...roots, ...folders]) startWatching(path)
  const rootTimer = setInterval(checkRoots, rootIntervalMs)

  return {
    close() {
      clearTimeout(settleTimer)
      clearInterval(pollTimer)
      clearInterval(rootTimer)
      for (const { watcher } of watchers.values()) watcher.close()
    },
  }
}

/**
 * Identifies the folder that is at a path now; null when the path does not exist. A new folder
 * often gets the inode number of a removed one, so the time of its creation belongs to it. A root
 * may be a symbolic link, which is followed; below the roots, links are not.
 */
function readIdentity(path: string, isRoot: boolean): string | null {
  try {
    const stat = isRoot ? statSync(path) : lstatSync(path)
    return `${stat.dev} ${stat.ino} ${stat.birthtimeMs}`
  } catch {
    return null
  }
}

function removeWatchers(watchers: Map<string, Watched>, folder: string): void {
  for (const [path, { watcher }] of watchers) {
    if (path !== folder && !path.startsWith(folder + sep)) continue
    watcher.close()
    watchers.delete(path)
  }
}

const isWatchLimit = (error: unknown): boolean =>
  ['ENOSPC', 'EMFILE'].includes(String(errorCode(error)))
