import { existsSync, watch, type FSWatcher } from 'node:fs'
import { sep } from 'node:path'

type Options = {
  roots: readonly string[]
  /** Every folder below the roots, as the last scan met them. */
  folders: readonly string[]
  /** Called with the folders in which something happened; answers all folders that it met below them. */
  onChange: (folders: readonly string[]) => readonly string[]
  /** Time for an editor to finish its writes (ms). */
  settle?: number
}

/** How often everything is looked at where the system refuses more watches (ms). */
const pollEvery = 2000

/**
 * One watch a folder, not a file: an article's folder is the unit that is compiled again, so 100,000 articles cost
 * 100,000 small watches and no polling. Where the system's limit of watches is reached, it falls back to polling.
 */
export function watchFolders({ roots, folders, onChange, settle = 40 }: Options): {
  close: () => void
} {
  const watchers = new Map<string, FSWatcher>()
  const dirty = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let poll: NodeJS.Timeout | undefined

  const flush = (): void => {
    timer = undefined
    const changed = [...dirty]
    dirty.clear()
    for (const folder of changed) {
      if (!existsSync(folder)) forget(folder)
    }
    add(onChange(changed))
  }
  const touched = (folder: string): void => {
    dirty.add(folder)
    timer ??= setTimeout(flush, settle)
  }
  const forget = (folder: string): void => {
    for (const [path, watcher] of watchers) {
      if (path !== folder && !path.startsWith(folder + sep)) continue
      watcher.close()
      watchers.delete(path)
    }
  }
  const add = (paths: readonly string[]): void => {
    for (const path of paths) {
      if (watchers.has(path) || poll) continue
      try {
        const watcher = watch(path, () => touched(path))
        watcher.on('error', () => forget(path))
        watchers.set(path, watcher)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code === 'ENOSPC' || code === 'EMFILE')
          poll = setInterval(() => onChange(roots), pollEvery)
      }
    }
  }
  add([...roots.filter((root) => existsSync(root)), ...folders])

  return {
    close() {
      clearTimeout(timer)
      clearInterval(poll)
      for (const watcher of watchers.values()) watcher.close()
    },
  }
}
