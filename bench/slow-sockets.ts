/**
 * `npm run soak -- slow-sockets [sockets]`: opens 500 connections that send headers or bodies one
 * byte at a time or do not read responses, alongside normal visitors. Prints when the server closed
 * each kind (spec 10.1: headers after 10 s, bodies after 30 s, idle connections after 60 s), the
 * latency of the visitors before and during the attack, and the memory of the process. Exits with 1
 * when a connection was not closed in time or a visitor's request failed.
 */
import { rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../shared/constants'
import { build } from '../scripts/prepare.mjs'
import { root } from '../testing/root'
import { temporaryFolder } from '../testing/release-with-tests'
import { seedContent } from '../testing/site'
import { steadyLoad } from '../testing/steady-load'
import { residentMiB } from './load'
import { startSite, untilWarmed } from './servers'
import {
  countAnswers,
  countLost,
  percentile,
  peerPorts,
  countRefused,
  soakPages,
  vote,
  waitUntil,
} from './soak-load'

const sockets = Number(process.argv[2] ?? 500)
const visitors = 16
const visitorPauseMs = 20
const dripIntervalMs = 1000
/**
 * Pipelined requests of a connection that does not read: about 10 MB of responses, more than the
 * socket buffers hold.
 */
const unreadRequests = 100
/**
 * How late a connection may be closed: the server checks once a second, and the machine may be
 * busy.
 */
const toleranceMs = 4000

/** `share`: part of all sockets (0 to 1). `first`: data that is sent at once. */
type Kind = {
  name: string
  share: number
  first: string
  drips: boolean
  reads: boolean
  timeoutMs: number
}
const kinds: readonly Kind[] = [
  {
    name: 'headers a byte a second',
    share: 0.48,
    first: 'GET /pricing HTTP/1.1\r\nHost: localhost\r\nX-A: ',
    drips: true,
    reads: true,
    timeoutMs: limits.headersTimeoutMs,
  },
  {
    name: 'body a byte a second',
    share: 0.48,
    first: `POST ${vote.path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"page":"`,
    drips: true,
    reads: true,
    timeoutMs: limits.requestTimeoutMs,
  },
  {
    name: 'responses not read',
    share: 0.04,
    first: 'GET /pricing HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(unreadRequests),
    drips: false,
    reads: false,
    timeoutMs: limits.idleTimeoutMs,
  },
]

type Slow = { openedAt: number; socket: Socket; kind: Kind; closedAfterMs: number | null }

function open(port: number, kind: Kind): Slow {
  const openedAt = performance.now()
  const socket = connect(port, '127.0.0.1', () => socket.write(kind.first))
  const slow: Slow = { openedAt, socket, kind, closedAfterMs: null }
  const timer = kind.drips ? setInterval(() => socket.write('x'), dripIntervalMs) : undefined
  const onClosed = (): void => {
    clearInterval(timer)
    slow.closedAfterMs ??= performance.now() - openedAt
  }
  socket.on('error', onClosed).once('close', onClosed)
  if (kind.reads) socket.resume()
  return slow
}

async function main(): Promise<void> {
  build(root)
  const dataDir = seedContent(temporaryFolder('soak-slow-sockets'))
  const site = await startSite({
    DATA_DIR: dataDir,
    RATE_OTHER: '1000000',
    RATE_VISITOR: '1000000',
  })
  try {
    await untilWarmed(site)
    const visit = async (name: string, milliseconds: number): Promise<number> => {
      const load = steadyLoad(
        site.port,
        visitors,
        (index) =>
          index % 20 === 0
            ? vote
            : { path: soakPages[index % soakPages.length] ?? '/', fresh: index % 8 === 0 },
        visitorPauseMs,
      )
      await sleep(milliseconds)
      const result = await load.stop()
      console.log(
        `visitors ${name}: ${countAnswers(result)} answers, ${countRefused(result)} refused, ${countLost(result)} lost, p50 ${percentile(result.times, 0.5).toFixed(1)} ms, p99 ${percentile(result.times, 0.99).toFixed(1)} ms; memory ${residentMiB(site.pid).toFixed(0)} MiB`,
      )
      if (countRefused(result) + countLost(result) > 0) process.exitCode = 1
      return percentile(result.times, 0.99)
    }
    await visit('before', 10_000)
    const slow = kinds.flatMap((kind) =>
      Array.from({ length: Math.round(sockets * kind.share) }, () => open(site.port, kind)),
    )
    const p99 = await visit(
      `beside ${slow.length} slow sockets`,
      limits.requestTimeoutMs + toleranceMs,
    )
    for (const kind of kinds) {
      const ofKind = slow.filter((one) => one.kind === kind)
      // A socket that does not read gets no close event, so /proc shows whether the process still
      // holds the connection. Its idle time begins when the socket buffers are full, and Node
      // extends it once if there was any progress, so these sockets get twice the timeout.
      const isOpen = (one: Slow): boolean =>
        peerPorts(site.pid, site.port).has(one.socket.localPort ?? 0)
      if (!kind.reads && (await waitUntil(2 * kind.timeoutMs, () => !ofKind.some(isOpen))))
        ofKind.forEach((one) => (one.closedAfterMs ??= performance.now() - one.openedAt))
      const remaining = ofKind.filter(({ closedAfterMs }) => closedAfterMs === null)
      const times = ofKind.flatMap(({ closedAfterMs }) =>
        closedAfterMs === null ? [] : [closedAfterMs],
      )
      const late = kind.reads && percentile(times, 1) > kind.timeoutMs + toleranceMs
      console.log(
        `${ofKind.length} sockets, ${kind.name}: ${ofKind.length - remaining.length} closed after ${(Math.min(...times) / 1000).toFixed(1)} to ${(Math.max(...times) / 1000).toFixed(1)} s, limit: ${kind.timeoutMs / 1000} s${kind.reads ? '' : ' idle'}${remaining.length > 0 || late ? ': FAILED' : ''}`,
      )
      if (remaining.length > 0 || late) process.exitCode = 1
    }
    slow.forEach(({ socket }) => socket.destroy())
    await visit('after', 5000)
    console.log(
      process.exitCode
        ? 'FAILED'
        : `ok: all were closed, no visitor's request failed${p99 < 300 ? '' : '; p99 is ABOVE the target of 300 ms'}`,
    )
  } finally {
    await site.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

void main()
