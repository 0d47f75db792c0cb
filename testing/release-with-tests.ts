/**
 * Ends processes that a test has started when the test process ends without stopping them, for example
 * because it was killed. Nothing in a killed process can do that, so a watcher outside of it does.
 */
import { spawn, type ChildProcess } from 'node:child_process'

/** Shell function: kills the processes that a process has started, then the process. */
const killTree =
  'end() { for child in $(cat /proc/$1/task/*/children); do end $child; done; kill -KILL $1; }'

/** Reads `+ PID` and `- PID`, and kills what is left when its input ends. */
const script = `$1 == "+" { pids[$2] = 1 } $1 == "-" { delete pids[$2] }
  END { for (pid in pids) system("{ ${killTree}; end " pid "; } 2>/dev/null") }`

let watcher: ChildProcess | null = null

function startWatcher(): ChildProcess {
  // Detached: Ctrl-C ends the test process and must not end its watcher.
  const started = spawn('awk', [script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  // Without awk (on Windows), processes of a killed test keep running.
  started.on('error', () => undefined)
  started.stdin?.on('error', () => undefined)
  started.unref()
  if (started.stdin && 'unref' in started.stdin) (started.stdin as { unref: () => void }).unref()
  return started
}

export function releaseWithTests<C extends ChildProcess>(child: C): C {
  const { pid } = child
  if (pid === undefined) return child
  watcher ??= startWatcher()
  watcher.stdin?.write(`+ ${pid}\n`)
  child.once('exit', () => watcher?.stdin?.write(`- ${pid}\n`))
  return child
}
