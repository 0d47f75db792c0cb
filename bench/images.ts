/**
 * `npm run bench -- images`: compares a cached image variant with a static file of the same size on
 * the same server, and measures encode times.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request, Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { buildId } from '../scripts/build-id.mjs'
import { createEncoderPool } from '../server/images/encoder-pool'
import { createLogger } from '../server/telemetry/logger'
import { allCores, root, startSite } from './servers'

const seconds = 4
const connections = 16

/** Noise over a gradient: as hard to encode as a photograph. */
function photograph(width: number, height: number): Promise<Buffer> {
  const raw = Buffer.alloc(width * height * 3)
  let seed = 42
  for (let index = 0; index < raw.length; index += 1) {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff
    raw[index] = (Math.floor((((index / 3) % width) / width) * 200) + ((seed >> 8) & 31)) & 255
  }
  return sharp(raw, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer()
}

/** Requests per second over keep-alive connections. */
async function throughput(port: number, path: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const end = Date.now() + seconds * 1000
  let count = 0
  const once = (): Promise<void> =>
    new Promise((done, fail) => {
      request(
        { host: '127.0.0.1', port, path, agent, headers: { host: `localhost:${port}` } },
        (response) => {
          if (response.statusCode !== 200) fail(new Error(`${path}: ${response.statusCode}`))
          response.resume().on('end', done)
        },
      )
        .on('error', fail)
        .end()
    })
  await once()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (Date.now() < end) {
        await once()
        count += 1
      }
    }),
  )
  agent.destroy()
  return count / seconds
}

async function compareCached(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'bench-images-'))
  const content = join(data, 'content')
  // A static file and a variant of the same size, from the same server.
  const name = `bench-${process.pid}.webp`
  mkdirSync(join(content, 'blog', 'bench'), { recursive: true })
  const source = await photograph(1280, 720)
  writeFileSync(join(content, 'blog', 'bench', 'a.png'), source)
  // Pictures are served when their article is published.
  writeFileSync(
    join(content, 'blog', 'bench', 'en.md'),
    '---\ntitle: Pictures\ndescription: Pictures\ndate: 2026-01-01\ncategory: proxies\n---\n\n![A picture](a.png)\n',
  )
  writeFileSync(
    join(content, 'site.yaml'),
    'brand: Bench\ncontact: { email: a@b.example, support: a@b.example, abuse: a@b.example }\n',
  )
  const env = { DATA_DIR: data, CONTENT_DIR: content, RATE_MISS: '' }
  const { port, stop } = await startSite(env, [], allCores)
  const variant = '/_image/w_640,f_webp,photo/content/blog/bench/a.png'
  const bytes = await new Promise<Buffer>((done, fail) => {
    request({ host: '127.0.0.1', port, path: variant }, (response) => {
      const chunks: Buffer[] = []
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => done(Buffer.concat(chunks)))
    })
      .on('error', fail)
      .end()
  })
  const file = join(root, 'public', name)
  writeFileSync(file, bytes)
  try {
    // Alternating, because the speed of the machine varies.
    const results = { file: 0, variant: 0 }
    for (let round = 0; round < 2; round += 1) {
      results.file += (await throughput(port, `/${name}`)) / 2
      results.variant += (await throughput(port, variant)) / 2
    }
    console.log(
      `cached variant (${bytes.length} bytes): ${Math.round(results.variant)}/s, static file of that size: ${Math.round(results.file)}/s, ratio ${(results.variant / results.file).toFixed(2)} (target: at least 0.70)`,
    )
  } finally {
    rmSync(file, { force: true })
    await stop()
    rmSync(data, { recursive: true, force: true })
  }
}

async function encodeTimes(): Promise<void> {
  const pool = createEncoderPool({
    encoderScript: join(root, 'dist', buildId(root), 'server', 'encoder.js'),
    log: createLogger('error'),
  })
  for (const [width, height] of [
    [640, 360],
    [1280, 720],
    [1600, 900],
  ] as const) {
    const bytes = await photograph(width, height)
    await pool.encode({ bytes, width: null, format: 'webp', quality: 80 }, 60_000)
    for (const format of ['avif', 'webp', 'png'] as const) {
      for (const quality of format === 'png' ? [100] : [80, 100]) {
        const started = performance.now()
        const result = await pool.encode({ bytes, width: null, format, quality }, 60_000)
        console.log(
          `${width}×${height} ${format}${format === 'png' ? '' : ` q${quality}`}: ${Math.round(performance.now() - started)} ms, ${result.length} bytes`,
        )
      }
    }
  }
  await pool.close()
}

async function main(): Promise<void> {
  await compareCached()
  await encodeTimes()
}
main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
