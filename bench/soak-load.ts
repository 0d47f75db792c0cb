/** Requests of the soak tests, counts of their results, and the connections of a process. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fetchFrom } from '../testing/site'
import type { LoadRequest, LoadResult } from '../testing/steady-load'

export const soakPages = [
  '/',
  '/pricing',
  '/download',
  '/es',
  '/th/pricing',
  '/faq',
  '/docs/profiles',
  '/blog',
  '/jp',
  '/fr/pricing',
] as const
/** A write of a visitor. Each adds a row to `helpful_votes`. */
export const vote: LoadRequest = {
  path: '/api/site/helpful',
  method: 'POST',
  body: JSON.stringify({ page: '/docs/profiles', locale: 'en', helpful: true }),
}

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0)
export const countAnswers = ({ answers }: LoadResult): number => sum(answers)
/** Answers with status 500 or above. */
export const countServerErrors = ({ answers }: LoadResult): number =>
  sum(Object.fromEntries(Object.entries(answers).filter(([status]) => Number(status) >= 500)))
export const countLost = ({ lost }: LoadResult): number => sum(lost)
export const countRefused = ({ answers }: LoadResult): number => sum(answers) - (answers[200] ?? 0)

/** The percentile of the values at `share` (0 to 1). */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** Waits until a check is true. Resolves to false after `timeoutMs`. */
export async function waitUntil(
  timeoutMs: number,
  check: () => boolean | Promise<boolean>,
): Promise<boolean> {
  for (const end = performance.now() + timeoutMs; performance.now() < end; await sleep(10))
    if (await check()) return true
  return false
}

/** Waits until a started site is ready. Rejects after 60 s. */
export async function untilReady(port: number): Promise<void> {
  if (
    !(await waitUntil(
      60_000,
      async () => (await fetchFrom(port, '/readyz').catch(() => null))?.status === 200,
    ))
  )
    throw new Error('the site did not become ready')
}

/**
 * Remote ports of the connections that a process holds on a local port (Linux). Empty when it
 * ended.
 */
export function peerPorts(pid: number, port: number): Set<number> {
  const sockets = new Set<string>()
  try {
    for (const fd of readdirSync(`/proc/${pid}/fd`)) {
      try {
        sockets.add(/^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? '')
      } catch {
        // Closed since the folder was read.
      }
    }
  } catch {
    return new Set()
  }
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const established = '01'
  return new Set(
    readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(
        ([, from = '', , state = '', , , , , , inode = '']) =>
          from.endsWith(local) && state === established && sockets.has(inode),
      )
      .map(([, , to = '']) => parseInt(to.split(':')[1] ?? '', 16)),
  )
}
