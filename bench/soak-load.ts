/** What the soaks ask for, and how they look at a process from outside. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
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
/** A write that a visitor makes; `helpful_votes` holds a row of each. */
export const vote: LoadRequest = {
  path: '/api/site/helpful',
  method: 'POST',
  body: JSON.stringify({ page: '/docs/profiles', locale: 'en', helpful: true }),
}

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((done) => setTimeout(done, milliseconds))
const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0)
export const answered = ({ answers }: LoadResult): number => sum(answers)
/** Answers of 500 and more. */
export const failedOf = ({ answers }: LoadResult): number =>
  sum(Object.fromEntries(Object.entries(answers).filter(([status]) => Number(status) >= 500)))
export const lostOf = ({ lost }: LoadResult): number => sum(lost)
export const refused = ({ answers }: LoadResult): number => sum(answers) - (answers[200] ?? 0)

/** The value that `share` of them are not above (0 to 1). */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** Waits until a check holds; false when it does not within `limit` ms. */
export async function within(
  limit: number,
  check: () => boolean | Promise<boolean>,
): Promise<boolean> {
  for (const end = performance.now() + limit; performance.now() < end; await sleep(10))
    if (await check()) return true
  return false
}

/** Waits for a site that has just been started. */
export async function untilReady(port: number): Promise<void> {
  if (
    !(await within(
      60_000,
      async () => (await fetchFrom(port, '/readyz').catch(() => null))?.status === 200,
    ))
  )
    throw new Error('the site did not become ready')
}

/** Ports of the other side of the connections that a process holds on a port of this machine (Linux). Empty when it is gone. */
export function peersOf(pid: number, port: number): Set<number> {
  const sockets = new Set<string>()
  try {
    for (const fd of readdirSync(`/proc/${pid}/fd`)) {
      try {
        sockets.add(/^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? '')
      } catch {
        // Closed between the two looks.
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
