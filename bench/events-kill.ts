/**
 * `npm run soak -- events-kill [rounds]`: kills the server (SIGKILL) during 2,000 concurrent event
 * posts, repeatedly on one data folder. After each kill the database must pass its integrity check
 * and hold every acknowledged event exactly once. Exits with 1 when it does not, or when fewer
 * posts than planned are acknowledged before a kill.
 */
import Database from 'better-sqlite3'
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../scripts/prepare.mjs'
import { sealBatches, type Batch } from './event-batches'
import { allCores, root, startSite } from './servers'

const rounds = Number(process.argv[2] ?? 50)
const posts = 2000
const dataDir = mkdtempSync(join(tmpdir(), 'soak-events-'))
const env = { DATA_DIR: dataDir, RATE_EVENTS: '1000000' }

async function main(): Promise<void> {
  build(root)
  const acknowledged = new Set<string>()
  let sent = 0
  let batches: Batch[] = []
  for (let round = 0; round < rounds; round += 1) {
    const { port, pid, stop } = await startSite(env, [], allCores)
    if (batches.length === 0) batches = await sealBatches(port, posts)
    // Half of each round is sent again, as pages do when they get no response; the other half is
    // new.
    batches = [...batches.slice(0, posts / 2), ...(await sealBatches(port, posts / 2))]
    const agent = new Agent({ keepAlive: true, maxSockets: 2000 })
    let answers = 0
    const killAfter = randomInt(50, posts - 200)
    await Promise.all(
      batches.map((batch) =>
        post(agent, port, batch.body).then((ok) => {
          if (!ok) return
          for (const id of batch.ids) acknowledged.add(id)
          if ((answers += 1) === killAfter) process.kill(pid, 'SIGKILL')
        }),
      ),
    )
    await stop()
    agent.destroy()
    sent += posts
    batches.reverse()
    const result = check(acknowledged)
    // With fewer answers than that, posts failed for another reason than the kill.
    const isOk = result.ok && answers >= killAfter
    if (!isOk || round % 10 === 9 || round === rounds - 1)
      console.log(
        `round ${round + 1}: killed after ${killAfter} answers, ${answers} in all; ${acknowledged.size} events acknowledged, ${result.stored} stored, ${result.lost} lost, ${result.twice} twice, integrity ${result.integrity}`,
      )
    if (!isOk) {
      process.exitCode = 1
      break
    }
  }
  console.log(
    `${rounds} rounds, ${sent} posts: ${process.exitCode ? 'FAILED' : 'every acknowledged event is stored exactly once'}`,
  )
  rmSync(dataDir, { recursive: true, force: true })
}

const post = (agent: Agent, port: number, body: string): Promise<boolean> =>
  new Promise((done) => {
    const call = request(
      {
        host: '127.0.0.1',
        port,
        path: '/api/sys/config/event',
        method: 'POST',
        agent,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': body.length,
        },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', () => done(false))
        // An incomplete response is no acknowledgment.
        response.on('end', () =>
          done(
            response.statusCode === 200 &&
              Buffer.concat(chunks).toString().includes('"accepted":2'),
          ),
        )
      },
    )
    call.on('error', () => done(false))
    call.end(body)
  })

function check(acknowledged: ReadonlySet<string>): {
  ok: boolean
  stored: number
  lost: number
  twice: number
  integrity: string
} {
  const db = new Database(join(dataDir, 'site.db'))
  const rows = db.prepare('SELECT id FROM events').all() as Array<{ id: string }>
  const integrity = String(db.pragma('integrity_check', { simple: true }))
  db.close()
  const stored = new Set(rows.map(({ id }) => id))
  const lost = [...acknowledged].filter((id) => !stored.has(id)).length
  const twice = rows.length - stored.size
  return {
    ok: lost === 0 && twice === 0 && integrity === 'ok',
    stored: stored.size,
    lost,
    twice,
    integrity,
  }
}

void main()
