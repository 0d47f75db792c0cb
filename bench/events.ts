/**
 * Measures accepted event batches per second: one process of the built site on one core, 20 events
 * a batch, each acknowledged after it is on disk. Also prints a CPU profile of the server. The load
 * runs on another core if the machine has one. The first argument is the duration in seconds.
 */
import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from '../scripts/prepare.mjs'
import { nodeOptions } from '../scripts/node-options.cjs'
import { leaveFirstCore, sendPosts, type Post } from './post-load'
import { startProfile, threadTimes } from './profile-process'
import { importPublicKey, sealEnvelope, type PublicKey } from '../shared/envelope'

const root = resolve(__dirname, '..')
const seconds = Number(process.argv[2] ?? 10)
const connections = 64
const batchCount = 12_000
/** Batches sent before the measurement, so that V8 has compiled the hot functions. */
const warmUpBatches = 1000

const event = (index: number): object => ({
  id: randomUUID(),
  ts: Date.now(),
  kind: 'click',
  op: 3,
  url: `https://www.example.com/es/blog/article-${index}`,
  title: 'Choosing a proxy type',
  referrer: 'https://www.example.com/es',
  duration: 1234,
  trigger: 'click',
  addition: { place: 'hero', index },
  content: 'Download',
  key: 'hero-download',
  el_type: 'a',
  el_class: 'button primary',
  target_url: 'https://www.example.com/es/download',
})
const comm = {
  user_id: '',
  user_info: {},
  os: 'windows',
  ua: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  screen_height: 1080,
  screen_width: 1920,
  pixel_ratio: 1,
  app_version: '140',
  page_flag: 'www',
  object_type: 'web',
  locale: 'es',
}

/**
 * Pins a command to a core with `taskset`, if available, so that server and load do not compete.
 */
function pinToCore(core: number, command: string[]): string[] {
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' })
    return cpus().length > 1 ? ['taskset', '-c', String(core), ...command] : command
  } catch {
    return command
  }
}

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-events-'))
  const [program = '', ...args] = pinToCore(0, [
    process.execPath,
    '--inspect=0',
    ...nodeOptions,
    join(build(root), 'server', 'main.js'),
  ])
  const server = spawn(program, args, {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      RATE_EVENTS: '1000000',
      LOG_LEVEL: 'info',
      ...(process.env['DATABASE_URL'] ? { DATABASE_URL: process.env['DATABASE_URL'] } : {}),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const inspector = new Promise<string>((done) =>
    createInterface({ input: server.stderr }).on('line', (line) => {
      const address = /ws:\/\/\S+/.exec(line)?.[0]
      if (address) done(address)
    }),
  )
  const lines = createInterface({ input: server.stdout })
  let last = ''
  // The site renders entry pages in the background after a start; the measurement waits for that.
  let warmed: () => void = () => undefined
  const warm = new Promise<void>((done) => (warmed = done))
  const port = await new Promise<number>((done, fail) => {
    server.once('exit', (code) => fail(new Error(`the site ended with ${code}: ${last}`)))
    lines.on('line', (line) => {
      last = line
      const entry = JSON.parse(line) as { msg: string; port?: number }
      if (entry.msg === 'ready') done(Number(entry.port))
      if (entry.msg === 'pages warmed') warmed()
    })
  })
  try {
    await warm
    await measure(port, Number(server.pid), await inspector)
  } finally {
    const ended = new Promise((done) => server.once('exit', done))
    server.kill('SIGTERM')
    await ended
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function measure(port: number, pid: number, inspector: string): Promise<void> {
  const { data } = (await (
    await fetch(`http://127.0.0.1:${port}/api/sys/config/public-key`)
  ).json()) as { data: PublicKey }
  const key = await importPublicKey(data)
  const posts: Post[] = []
  for (let index = 0; index < batchCount; index += 1) {
    const { _t, _a } = await sealEnvelope(
      key,
      JSON.stringify({
        list: Array.from({ length: 20 }, () => event(index)),
        comm: { ...comm, device_id: randomUUID() },
      }),
    )
    posts.push({ path: '/api/sys/config/event', type: 'form', body: `_t=${_t}&_a=${_a}` })
  }
  leaveFirstCore()
  // Events that are already stored are cheaper to handle, so every batch is sent once.
  await sendPosts(port, posts.splice(0, warmUpBatches), connections, Infinity)
  const before = threadTimes(pid)
  const stopProfile = await startProfile(inspector)
  const run = await sendPosts(port, posts, connections, seconds)
  const { accepted } = run
  const used = [...threadTimes(pid)]
    .map(([thread, time]) => ({ thread, time: time - (before.get(thread) ?? 0) }))
    .filter(({ time }) => time >= 0.05)
    .sort((x, y) => y.time - x.time)
  const functions = await stopProfile()
  console.log(
    `events: ${(accepted / run.seconds).toFixed(0)} batches/s of 20 events, ${accepted} in ${run.seconds.toFixed(1)} s, ${run.failed} failed, ${connections} connections; ms p50 ${run.p50.toFixed(0)}, p95 ${run.p95.toFixed(0)}, p99 ${run.p99.toFixed(0)}; Node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}`,
  )
  const total = used.reduce((sum, { time }) => sum + time, 0)
  if (total > 0)
    console.log(
      `processor: ${total.toFixed(2)} s of all threads, so ${(accepted / total).toFixed(0)} batches per CPU second; main thread ${(used.find(({ thread }) => thread === String(pid))?.time ?? 0).toFixed(2)} s, others ${used
        .filter(({ thread }) => thread !== String(pid))
        .map(({ time }) => time.toFixed(2))
        .join(', ')} s`,
    )
  console.log(
    `main thread: ${functions
      .slice(0, 14)
      .map(({ name, share }) => `${name} ${(share * 100).toFixed(0)} %`)
      .join(', ')}`,
  )
}

void main()
