/**
 * `npm run soak -- slow-sockets [sockets]`: 500 connections that send their headers a byte at a time, their bodies, or do not read what they asked for, beside visitors as
 * usual. Prints when each kind was cut (decisions 10: headers after 10 s, bodies after 30 s, silence after 60 s), what the visitors' requests took before and meanwhile, and the
 * memory of the process. Exits with 1 when a kind was not cut in time or a visitor's request failed.
 */
import { rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { limits } from '../shared/constants'
import { build } from '../scripts/prepare.mjs'
import { root } from '../testing/root'
import { seedContent, temporaryFolder } from '../testing/site'
import { steadyLoad } from '../testing/steady-load'
import { residentMiB } from './load'
import { startSite, warmed } from './servers'
import {
  answered,
  lostOf,
  percentile,
  peersOf,
  refused,
  sleep,
  soakPages,
  vote,
  within,
} from './soak-load'

const sockets = Number(process.argv[2] ?? 500)
const visitors = 16
const visitorPause = 20
const drip = 1000
/** Pages asked for at once by whoever does not read: about 10 MB, more than the system keeps for a connection. Many more would be a flood, which is another matter. */
const unread = 100
/** How late a cut may be (ms): the server looks once a second, and this machine may have other work. */
const tolerance = 4000

/** `share`: of all sockets. */
type Kind = {
  name: string
  share: number
  first: string
  drips: boolean
  reads: boolean
  limit: number
}
const kinds: readonly Kind[] = [
  {
    name: 'headers a byte a second',
    share: 0.48,
    first: 'GET /pricing HTTP/1.1\r\nHost: localhost\r\nX-A: ',
    drips: true,
    reads: true,
    limit: limits.headersTimeout,
  },
  {
    name: 'body a byte a second',
    share: 0.48,
    first: `POST ${vote.path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"page":"`,
    drips: true,
    reads: true,
    limit: limits.requestTimeout,
  },
  {
    name: 'answers not read',
    share: 0.04,
    first: 'GET /pricing HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(unread),
    drips: false,
    reads: false,
    limit: limits.idleTimeout,
  },
]

type Slow = { began: number; socket: Socket; kind: Kind; cutAfter: number | null }

function open(port: number, kind: Kind): Slow {
  const began = performance.now()
  const socket = connect(port, '127.0.0.1', () => socket.write(kind.first))
  const slow: Slow = { began, socket, kind, cutAfter: null }
  const timer = kind.drips ? setInterval(() => socket.write('x'), drip) : undefined
  const cut = (): void => {
    clearInterval(timer)
    slow.cutAfter ??= performance.now() - began
  }
  socket.on('error', cut).once('close', cut)
  if (kind.reads) socket.resume()
  return slow
}

async function main(): Promise<void> {
  build(root)
  const dataDir = seedContent(temporaryFolder('soak-slow-sockets'))
  const site = await startSite({
    DATA_DIR: dataDir,
    RATE_OTHER: '1000000',
    RATE_MESSAGES: '1000000',
  })
  try {
    await warmed(site)
    const visit = async (name: string, milliseconds: number): Promise<number> => {
      const load = steadyLoad(
        site.port,
        visitors,
        (index) =>
          index % 20 === 0
            ? vote
            : { path: soakPages[index % soakPages.length] ?? '/', fresh: index % 8 === 0 },
        visitorPause,
      )
      await sleep(milliseconds)
      const result = await load.stop()
      console.log(
        `visitors ${name}: ${answered(result)} answers, ${refused(result)} refused, ${lostOf(result)} lost, p50 ${percentile(result.times, 0.5).toFixed(1)} ms, p99 ${percentile(result.times, 0.99).toFixed(1)} ms; the process holds ${residentMiB(site.pid).toFixed(0)} MiB`,
      )
      if (refused(result) + lostOf(result) > 0) process.exitCode = 1
      return percentile(result.times, 0.99)
    }
    await visit('before', 10_000)
    const slow = kinds.flatMap((kind) =>
      Array.from({ length: Math.round(sockets * kind.share) }, () => open(site.port, kind)),
    )
    const p99 = await visit(`beside ${slow.length} slow sockets`, limits.requestTimeout + tolerance)
    for (const kind of kinds) {
      const own = slow.filter((one) => one.kind === kind)
      // Who does not read does not see the end: the system is asked which connections the process still holds. Its silence begins when the system takes no more,
      // and Node gives a connection a second time when the first saw the least progress.
      const held = (one: Slow): boolean =>
        peersOf(site.pid, site.port).has(one.socket.localPort ?? 0)
      if (!kind.reads && (await within(2 * kind.limit, () => !own.some(held))))
        own.forEach((one) => (one.cutAfter ??= performance.now() - one.began))
      const open = own.filter(({ cutAfter }) => cutAfter === null)
      const times = own.flatMap(({ cutAfter }) => (cutAfter === null ? [] : [cutAfter]))
      const late = kind.reads && percentile(times, 1) > kind.limit + tolerance
      console.log(
        `${own.length} sockets, ${kind.name}: ${own.length - open.length} cut after ${(Math.min(...times) / 1000).toFixed(1)} to ${(Math.max(...times) / 1000).toFixed(1)} s, asked: ${kind.limit / 1000} s${kind.reads ? '' : ' of silence'}${open.length > 0 || late ? ': BAD' : ''}`,
      )
      if (open.length > 0 || late) process.exitCode = 1
    }
    slow.forEach(({ socket }) => socket.destroy())
    await visit('after', 5000)
    console.log(
      process.exitCode
        ? 'FAILED'
        : `ok: all were cut, no visitor's request failed${p99 < 300 ? '' : '; p99 ABOVE the 300 ms asked for'}`,
    )
  } finally {
    await site.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

void main()
