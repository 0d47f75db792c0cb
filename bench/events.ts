/**
 * Measures accepted event batches per second: one process of the built site on one core, 20 events
 * a batch, each acknowledged after it is on disk. Also prints a CPU profile of the server. The load
 * runs on another core if the machine has one. The first argument is the duration in seconds.
 */
import { randomUUID } from 'node:crypto'
import { cpus } from 'node:os'
import { build } from '../scripts/prepare.mjs'
import { freePort } from '../testing/free-port'
import { leaveFirstCore, sendPosts, type Post } from './post-load'
import { inspectorAt, startProfile, threadTimes } from './profile-process'
import { root, startSite, untilWarmed } from './servers'
import { importPublicKey, sealEnvelope, type PublicKey } from '../shared/envelope'

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

async function main(): Promise<void> {
  build(root)
  const inspector = await freePort()
  const databaseUrl = process.env['DATABASE_URL']
  const site = await startSite(
    { RATE_EVENTS: '1000000', RATE_MISS: '', ...(databaseUrl && { DATABASE_URL: databaseUrl }) },
    [`--inspect=127.0.0.1:${inspector}`],
  )
  try {
    await untilWarmed(site)
    await measure(site.port, site.pid, await inspectorAt(inspector))
  } finally {
    await site.stop()
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
