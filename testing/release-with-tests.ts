/**
 * Cleans up after a test process, even if it is killed: the processes that it has started are
 * ended, and its temporary folders are deleted. A killed process can run no code, so this is done
 * by a second process, the watcher.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Shell function: kills the processes that a process has started, then the process. */
const killTree =
  'end() { for child in $(cat /proc/$1/task/*/children); do end $child; done; kill -KILL $1; }'

/**
 * The watcher's program, for awk. The test process writes a line for each event:
 *
 * - `+ PID`: it has started a process; `- PID`: that has ended
 * - `daemon PATH`: it starts a daemon, whose id is in the file
 * - `folder PATH`: it has created a folder
 *
 * When the test process ends, this input ends too. Then the watcher kills the processes that still
 * run and deletes the folders.
 */
const script = `$1 == "+" { pids[$2] = 1 } $1 == "-" { delete pids[$2] }
  $1 == "daemon" { daemons[substr($0, 8)] = 1 }
  $1 == "folder" { folders[substr($0, 8)] = 1 }
  END {
    for (pid in pids) system("{ ${killTree}; end " pid "; } 2>/dev/null")
    for (file in daemons) system("{ ${killTree}; end $(cat '" file "'); } 2>/dev/null")
    for (folder in folders) system("rm -rf -- '" folder "'")
  }`

let watcher: ChildProcess | null = null

function startWatcher(): ChildProcess {
  // Detached: Ctrl-C ends the test process and must not end its watcher.
  const started = spawn('awk', [script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  // Without awk (on Windows), processes of a killed test keep running, and folders stay.
  started.on('error', () => undefined)
  started.stdin?.on('error', () => undefined)
  started.unref()
  if (started.stdin && 'unref' in started.stdin) (started.stdin as { unref: () => void }).unref()
  return started
}

function tellWatcher(line: string): void {
  watcher ??= startWatcher()
  watcher.stdin?.write(`${line}\n`)
}

export function releaseWithTests<C extends ChildProcess>(child: C): C {
  const { pid } = child
  if (pid === undefined) return child
  tellWatcher(`+ ${pid}`)
  child.once('exit', () => tellWatcher(`- ${pid}`))
  return child
}

/** For a process that is no child of the test; it writes its id to the file. */
export function releaseDaemon(pidFile: string): void {
  tellWatcher(`daemon ${pidFile}`)
}

/** For a folder outside the system's folder for temporary files. */
export function releaseFolder(folder: string): void {
  tellWatcher(`folder ${folder}`)
}

/** An empty folder, which is deleted when the test process ends. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `site-${name}-`))
  releaseFolder(folder)
  return folder
}
