/**
 * Returns the environment that preloads `force-collections.cjs` into a site, and reads its output.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Every script that a site runs as a process or a worker thread. */
const scripts = ['main.js', 'content.js', 'sqlite-worker.js', 'search.js', 'encoder.js']
/** How the site ends its child processes. */
const expectedSignals = ['SIGTERM', 'SIGKILL']

export type ForcedCollections = {
  /** Collections by script; 0 for a script that did not load the preload. */
  counts: Record<string, number>
  /** Child processes that aborted or ended with an error. */
  failures: string[]
}

/** `file` is the file that the preload writes to. */
export function forceCollections(file: string): {
  env: Record<string, string>
  read: () => ForcedCollections
} {
  writeFileSync(file, '')
  return {
    env: {
      NODE_OPTIONS: `--require=${join(__dirname, 'force-collections.cjs')}`,
      FORCED_COLLECTIONS: file,
    },
    read() {
      const counts = Object.fromEntries(scripts.map((script) => [script, 0]))
      const failures: string[] = []
      for (const line of readFileSync(file, 'utf8').split('\n')) {
        const [what, script = '', code = '', signal = ''] = line.split(' ')
        if (what === 'collected') counts[script] = (counts[script] ?? 0) + 1
        if (what === 'ended' && code !== '0' && !expectedSignals.includes(signal))
          failures.push(`${script} ended with exit code ${code}, signal ${signal}`)
      }
      return { counts, failures }
    },
  }
}
