/**
 * Requests all sitemaps of a site with 100,000 articles in each of two languages. Measures the time
 * to the first byte of each, the time that a second request for it takes, and how much more memory
 * the server uses meanwhile than when it is idle.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { contentFile } from '../server/content/data-files'
import { createOutlineWriter } from '../server/content/compile/write-outline'
import { utcDay } from '../shared/utc-day'
import { median } from './report'
import { allCores, startSite, untilWarmed, type Server } from './servers'

const articles = 100_000

/** An empty setting has its default. */
const start = (data: string): Promise<Server> =>
  startSite({ DATA_DIR: data, RATE_MISS: '' }, [], allCores)

/**
 * Resident memory of a process (MiB), and the part of it that is file pages, which are reclaimable.
 */
function memory(pid: number): { all: number; files: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const read = (name: string): number =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024
  return { all: read('VmRSS'), files: read('RssFile') + read('RssShmem') }
}

function fetchTimes(
  port: number,
  host: string,
  path: string,
): Promise<{ first: number; last: number; bytes: number; status: number }> {
  return new Promise((done, fail) => {
    const started = performance.now()
    request({ host: '127.0.0.1', port, path, headers: { host: `${host}:${port}` } }, (response) => {
      let bytes = 0
      let first = 0
      response.on('data', (chunk: Buffer) => {
        first ||= performance.now() - started
        bytes += chunk.length
      })
      response.on('end', () =>
        done({ first, last: performance.now() - started, bytes, status: response.statusCode ?? 0 }),
      )
    })
      .on('error', fail)
      .end()
  })
}

/** Inserts articles directly into the compiled database, the only source of the sitemaps. */
function insertArticles(data: string): void {
  const db = new Database(contentFile(data))
  const add = db.prepare(
    `INSERT INTO articles (collection, id, locale, source, path, hash, title, description, date,
       category, live, minutes, front, html, headings, text)
     VALUES ('blog', ?, ?, '', ?, '', ?, '', ?, ?, 1, 3, '{}', ?, '[]', '')`,
  )
  const tag = db.prepare('INSERT INTO tags VALUES (?, ?, ?, ?)')
  const html = '<p>Some words of an article.</p>'.repeat(100)
  db.transaction(() => {
    for (let number = 1; number <= articles; number += 1)
      for (const locale of ['en', 'zh']) {
        const day = utcDay(Date.UTC(2024, 0, 1 + (number % 700)))
        const { lastInsertRowid } = add.run(
          `generated-${number}`,
          locale,
          `generated/${number}/${locale}`,
          `Article ${number}`,
          day,
          ['proxies', 'operations', 'automation'][number % 3],
          html,
        )
        tag.run(['proxy', 'teamwork', 'rpa'][(number % 5) % 3], 'blog', locale, lastInsertRowid)
      }
    const outline = createOutlineWriter(db)
    outline.markStale(['blog'])
    const started = performance.now()
    outline.refresh()
    console.log(
      `outline of ${(2 * articles).toLocaleString('en')} texts counted by the content process in ${Math.round(performance.now() - started)} ms`,
    )
  })()
  db.close()
}

async function measure(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'bench-sitemaps-'))
  await (await start(data)).stop()
  insertArticles(data)
  const site = await start(data)
  const { port, pid, stop } = site
  // Rendering the entry pages is not measured.
  await untilWarmed(site)
  const idle = memory(pid)
  let peak = idle
  const watch = setInterval(() => {
    const now = memory(pid)
    if (now.all > peak.all) peak = now
  }, 20)
  const index = await fetchTimes(port, 'localhost', '/sitemap.xml')
  console.log(`index: first byte ${index.first.toFixed(0)} ms, ${index.bytes} bytes`)
  const firsts: number[] = []
  const repeated: number[] = []
  let bytes = 0
  let parts = 0
  for (const [tag, host] of [
    ['en-US', 'localhost'],
    ['zh-CN', 'zh.localhost'],
  ] as const)
    for (let part = 1; ; part += 1) {
      const path = part === 1 ? `/${tag}-sitemap.xml` : `/${tag}-sitemap-${part}.xml`
      const found = await fetchTimes(port, host, path)
      if (found.status !== 200) break
      firsts.push(found.first)
      repeated.push((await fetchTimes(port, host, path)).last)
      bytes += found.bytes
      parts += 1
    }
  clearInterval(watch)
  const describe = (times: readonly number[]): string =>
    `at most ${Math.max(...times).toFixed(0)} ms, median ${median(times).toFixed(0)} ms`
  console.log(`${parts} parts, ${(bytes / 1e6).toFixed(0)} MB`)
  console.log(`  first request, to the first byte: ${describe(firsts)}`)
  console.log(`  second request, to the last byte: ${describe(repeated)}`)
  console.log(
    `memory at rest ${idle.all.toFixed(0)} MB (${idle.files.toFixed(0)} of files), at most ${peak.all.toFixed(0)} MB (${peak.files.toFixed(0)} of files): ${(peak.all - idle.all).toFixed(0)} MB more`,
  )
  await stop()
  rmSync(data, { recursive: true, force: true })
}

measure().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
