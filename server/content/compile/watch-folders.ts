import { existsSync, watch, type FSWatcher } from 'node:fs'
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

/**
 * Watches folders, not files: an article's folder is the unit of compilation, so 100,000 articles
 * need 100,000 small watches and no polling. When the system's limit of watches is reached, the
 * roots are scanned at intervals instead.
 */
export function watchFolders({ roots, folders, onChange, settleMs = 40 }: Options): {
  close: () => void
} {
  const watchers = new Map<string, FSWatcher>()
  const changed = new Set<string>()
  let settleTimer: NodeJS.Timeout | undefined
  let pollTimer: NodeJS.Timeout | undefined

  const flush = (): void => {
    settleTimer = undefined
    const batch = [...changed]
    changed.clear()
    for (const folder of batch) if (!existsSync(folder)) removeWatchers(watchers, folder)
    // A folder that is watched from now on may have changed since it was scanned.
    onChange(batch).filter(startWatching).forEach(markChanged)
  }
  const markChanged = (folder: string): void => {
    changed.add(folder)
    settleTimer ??= setTimeout(flush, settleMs)
  }
  /** Returns false where the folder is watched already, or cannot be. */
  const startWatching = (path: string): boolean => {
    if (watchers.has(path) || pollTimer) return false
    try {
      const watcher = watch(path, () => markChanged(path))
      watcher.on('error', () => removeWatchers(watchers, path))
      watchers.set(path, watcher)
      return true
    } catch (error) {
      if (isWatchLimit(error)) pollTimer = setInterval(() => onChange(roots), pollIntervalMs)
      return false
    }
  }
  for (const path of [...roots.filter((root) => existsSync(root)), ...folders]) startWatching(path)

  return {
    close() {
      clearTimeout(settleTimer)
      clearInterval(pollTimer)
      for (const watcher of watchers.values()) watcher.close()
    },
  }
}

function removeWatchers(watchers: Map<string, FSWatcher>, folder: string): void {
  for (const [path, watcher] of watchers) {
    if (path !== folder && !path.startsWith(folder + sep)) continue
    watcher.close()
    watchers.delete(path)
  }
}

const isWatchLimit = (error: unknown): boolean =>
  ['ENOSPC', 'EMFILE'].includes(String(errorCode(error)))
