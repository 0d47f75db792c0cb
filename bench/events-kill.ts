/**
 * `npm run soak -- events-kill [rounds]`: kills the server (SIGKILL) during 2,000 concurrent event
 * posts, repeatedly on one data folder. After each kill the database must pass its integrity check
 * and hold every acknowledged event exactly once. Exits with 1 when it does not, or when fewer posts
 * than planned are acknowledged before a kill.
 */
import Database from 'better-sqlite3'
import { spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from '../scripts/prepare.mjs'
import { nodeOptions } from '../scripts/node-options.cjs'
import { sealBatches, type Batch } from './event-batches'

const root = resolve(__dirname, '..')
const rounds = Number(process.argv[2] ?? 50)
const posts = 2000
const folder = build(root)
const dataDir = mkdtempSync(join(tmpdir(), 'soak-events-'))

function start(): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, [...nodeOptions, join(folder, 'server', 'main.js')], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      RATE_EVENTS: '1000000',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((done, fail) => {
    child.once('exit', (code) => fail(new Error(`the site ended with ${code}`)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      const entry = JSON.parse(line) as { msg: string; port?: number }
      if (entry.msg === 'ready') done({ child, port: Number(entry.port) })
    })
  })
}

async function main(): Promise<void> {
  const acknowledged = new Set<string>()
  let sent = 0
  let batches: Batch[] = []
  for (let round = 0; round < rounds; round += 1) {
    const { child, port } = await start()
    if (batches.length === 0) batches = await sealBatches(port, posts)
    // Half of each round is sent again, as pages do when they get no response; the other half is
    // new.
    batches = [...batches.slice(0, posts / 2), ...(await sealBatches(port, posts / 2))]
    const killed = new Promise((done) => child.once('exit', done))
    const agent = new Agent({ keepAlive: true, maxSockets: 2000 })
    let answers = 0
    const killAfter = randomInt(50, posts - 200)
    await Promise.all(
      batches.map((batch) =>
        post(agent, port, batch.body).then((ok) => {
          if (!ok) return
          for (const id of batch.ids) acknowledged.add(id)
          if ((answers += 1) === killAfter) child.kill('SIGKILL')
        }),
      ),
    )
    child.kill('SIGKILL')
    await killed
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
