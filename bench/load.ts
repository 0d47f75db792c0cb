/**
 * Runs wrk against a local port, on another core than the server, and measures the server's CPU
 * time.
 */
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../testing/release-with-tests'

type Load = {
  port: number
  path: string
  headers?: Readonly<Record<string, string>>
  seconds: number
  connections: number
  /** Process whose CPU time is measured: the server. */
  pid: number
}
/**
 * `perCpu`: requests per second of the server's CPU time; other load on the machine hardly changes
 * it. `p50` and `p99`: latencies in ms (closed loop: a connection sends a request after the last
 * response). `bytes`: per response, with headers.
 */
export type Run = {
  perSecond: number
  perCpu: number
  p50: number
  p99: number
  errors: number
  bytes: number
}

export const serverCore = 0
export const loadCore = 1

const script = join(temporaryFolder('bench'), 'report.lua')
writeFileSync(
  script,
  `done = function(s, l, r)
  io.write(string.format('\\nJSON{"requests":%d,"us":%d,"bytes":%d,"p50":%d,"p99":%d,"errors":%d}\\n', s.requests, s.duration, s.bytes,
    l:percentile(50), l:percentile(99), s.errors.connect + s.errors.read + s.errors.write + s.errors.status + s.errors.timeout))
end
`,
)

/** Whether wrk and taskset are installed. They are not available from npm. */
export const hasWrk = (): boolean =>
  spawnSync('wrk', ['-v']).error === undefined && spawnSync('taskset', ['-V']).error === undefined

/** Unit of the times in /proc (s). */
const tick = 1 / 100
/** CPU seconds that a process has used in user and system mode. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * tick
}

const statusMiB = (pid: number, field: string): number => {
  try {
    return (
      Number(
        new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ??
          0,
      ) / 1024
    )
  } catch {
    return 0 // the process has ended
  }
}
/** Resident memory of a process (MiB); 0 when it has ended. */
export const residentMiB = (pid: number): number => statusMiB(pid, 'VmRSS')
/** Peak resident memory of a process (MiB); 0 when it has ended. */
export const peakMiB = (pid: number): number => statusMiB(pid, 'VmHWM')

export function load({ port, path, headers = {}, seconds, connections, pid }: Load): Promise<Run> {
  const args = [
    '-c',
    String(loadCore),
    'wrk',
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout',
    '10s',
    '-s',
    script,
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    `http://127.0.0.1:${port}${path}`,
  ]
  return new Promise((resolve, reject) => {
    const cpuBefore = cpuSeconds(pid)
    const child = spawn('taskset', args)
    let out = ''
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.on('error', reject).on('close', () => {
      const json = /JSON(\{.*\})/.exec(out)?.[1]
      if (!json) return reject(new Error(`wrk: ${out.slice(-300)}`))
      const { requests, us, bytes, p50, p99, errors } = JSON.parse(json) as Record<
        'requests' | 'us' | 'bytes' | 'p50' | 'p99' | 'errors',
        number
      >
      resolve({
        perSecond: requests / (us / 1e6),
        perCpu: requests / Math.max(cpuSeconds(pid) - cpuBefore, tick),
        p50: p50 / 1000,
        p99: p99 / 1000,
        errors,
        bytes: Math.round(bytes / Math.max(requests, 1)),
      })
    })
  })
}
