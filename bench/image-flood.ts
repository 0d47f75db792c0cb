/**
 * `npm run bench -- image-flood`: requests 10,000 distinct image URLs, 50 at a time. Prints the
 * statuses, the disk usage, the memory of the server, and the latency of a cached page before and
 * during the flood.
 */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { request, Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { allCores, root, startSite } from './servers'

const urlCount = 10_000
const concurrency = 50

function timedRequest(
  port: number,
  path: string,
  agent: Agent,
): Promise<{ status: number; time: number }> {
  const started = performance.now()
  return new Promise((done, fail) => {
    request(
      { host: '127.0.0.1', port, path, agent, headers: { host: `localhost:${port}` } },
      (response) => {
        response
          .resume()
          .on('end', () =>
            done({ status: response.statusCode ?? 0, time: performance.now() - started }),
          )
      },
    )
      .on('error', fail)
      .end()
  })
}

const quantile = (times: readonly number[], share: number): string =>
  `${(times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0).toFixed(1)} ms`

/**
 * Requests one cached page repeatedly while `isRunning` returns true. Returns the latencies (ms).
 */
async function measurePage(port: number, isRunning: () => boolean): Promise<number[]> {
  const agent = new Agent({ keepAlive: true })
  const times: number[] = []
  while (isRunning()) {
    times.push((await timedRequest(port, '/pricing', agent)).time)
    await new Promise((done) => setTimeout(done, 10))
  }
  agent.destroy()
  return times
}

/**
 * URLs as an attacker would send: each width up to 5,000, with alternating formats and qualities.
 */
const imageUrl = (index: number): string =>
  `/_image/w_${1 + (index % 5000)},f_${index % 2 ? 'avif' : 'webp'},q_${index >= 5000 ? 80 : 100}/content/blog/flood/a.png?x=${index}`

const bytesBelow = (path: string): number =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
const memoryOf = (pid: number): string =>
  `${Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024)} MB`

async function main(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'bench-flood-'))
  const content = join(data, 'content')
  mkdirSync(join(content, 'blog', 'flood'), { recursive: true })
  writeFileSync(join(content, 'site.yaml'), readFileSync(join(root, 'content', 'site.yaml')))
  // Pictures are served when their article is published.
  writeFileSync(
    join(content, 'blog', 'flood', 'en.md'),
    '---\ntitle: Pictures\ndescription: Pictures\ndate: 2026-01-01\ncategory: proxies\n---\n\n![A picture](a.png)\n',
  )
  writeFileSync(
    join(content, 'blog', 'flood', 'a.png'),
    await sharp({
      create: {
        width: 1600,
        height: 900,
        channels: 3,
        background: '#2450e6',
        noise: { type: 'gaussian', mean: 120, sigma: 20 },
      },
    })
      .png()
      .toBuffer(),
  )
  // An empty setting has its default: limits as for visitors.
  const env = { DATA_DIR: data, CONTENT_DIR: content, RATE_MISS: '' }
  const { port, pid, stop } = await startSite(env, [], allCores)
  try {
    const until = Date.now() + 4000
    const idle = await measurePage(port, () => Date.now() < until)
    const memoryBefore = memoryOf(pid)
    const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
    const statuses = new Map<number, number>()
    let next = 0
    let flooding = true
    const watched = measurePage(port, () => flooding)
    const started = performance.now()
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        for (let index = next++; index < urlCount; index = next++) {
          const { status } = await timedRequest(port, imageUrl(index), agent)
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }
      }),
    )
    flooding = false
    const busy = await watched
    agent.destroy()
    console.log(
      `${urlCount} image URLs in ${((performance.now() - started) / 1000).toFixed(1)} s: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}`,
    )
    console.log(
      `a cached page: p50 ${quantile(idle, 0.5)}, p99 ${quantile(idle, 0.99)} before; p50 ${quantile(busy, 0.5)}, p99 ${quantile(busy, 0.99)} during the flood`,
    )
    console.log(
      `on disk: ${(bytesBelow(join(data, 'images')) / 1024 / 1024).toFixed(1)} MB; memory of the server: ${memoryBefore} before, ${memoryOf(pid)} after`,
    )
  } finally {
    await stop()
    rmSync(data, { recursive: true, force: true })
  }
}
main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
