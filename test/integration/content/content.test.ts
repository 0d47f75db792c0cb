import Database from 'better-sqlite3'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { collections } from '../../../shared/front-matter'
import { contentWith } from '../../../testing/content-copy'
import { root } from '../../../testing/root'
import { entryHref } from '../../../server/url/entry-href'
import { temporaryFolder } from '../../../testing/release-with-tests'
import {
  compileContent,
  eventually,
  hostNames,
  seedContent,
  startTestSite,
  type TestSite,
} from '../../../testing/site'

const content = temporaryFolder('content')
const file = (path: string): string => join(content, path)
const write = (path: string, text: string): void => {
  mkdirSync(file(path.split('/').slice(0, -1).join('/')), { recursive: true })
  writeFileSync(file(path), text)
}
const article = (title: string, body = 'Some words.'): string =>
  `---\ntitle: "${title}"\ndescription: "What ${title} is about, in a sentence"\ndate: 2026-11-20\ncategory: proxies\ntags: [proxy]\n---\n\n${body}\n`

let site: TestSite
beforeAll(async () => {
  cpSync(join(root, 'content'), content, { recursive: true, preserveTimestamps: true })
  write('blog/broken/en.md', '---\ntitle: "Broken"\ndate: someday\n---\n\nText\n')
  site = await startTestSite({ CONTENT_DIR: content })
}, 60_000)
afterAll(async () => {
  await site.stop()
  rmSync(content, { recursive: true, force: true })
})

/** The SEO record in the head of an entry of each collection; guides exist in Chinese only. */
const seoCases = collections.map((collection) => {
  const locale = collection === 'guide' ? 'zh' : 'en'
  const [id = ''] = readdirSync(join(root, 'content', collection))
  return { collection, locale, id, path: entryHref(collection, id, locale) ?? '' } as const
})
const seoFields = { title: 'Words for results', keywords: 'alpha, beta', description: 'A summary.' }

async function seoOf({ path, locale }: (typeof seoCases)[number]) {
  const { body } = await site.get(path, { host: hostNames[locale] })
  const meta = (name: string): string =>
    new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`).exec(body)?.[1] ?? ''
  return {
    title: (/<title>([^<]*)<\/title>/.exec(body)?.[1] ?? '').replace(' | Polyfacet', ''),
    keywords: meta('keywords'),
    description: meta('description'),
    shared: meta('og:description'),
  }
}

const bodyOf = async (path: string, of = site): Promise<string> => (await of.get(path)).body
const logged = (text: string, of = site) =>
  eventually(() => expect(of.logs.some((line) => line.msg.includes(text))).toBe(true))

describe('content on a running server', () => {
  it('reports a broken file with line and reason, and serves the rest', async () => {
    await logged('problem: content/blog/broken/en.md:3: date: a date as YYYY-MM-DD')
    expect((await site.get('/blog/broken')).status).toBe(404)
    expect((await site.get('/blog')).status).toBe(200)
  })

  it('shows that an article was added, edited and removed, on its page and in the cached list', async () => {
    await bodyOf('/blog')
    write('blog/fresh/en.md', article('Fresh words'))
    await eventually(async () => expect(await bodyOf('/blog/fresh')).toContain('Fresh words'))
    await eventually(async () => expect(await bodyOf('/blog')).toContain('Fresh words'))
    write('blog/fresh/en.md', article('Other words', 'Edited [link](/pricing).'))
    await eventually(async () => expect(await bodyOf('/blog/fresh')).toContain('Other words'))
    expect(await bodyOf('/blog/fresh')).toContain('<a href="/pricing">link</a>')
    rmSync(file('blog/fresh'), { recursive: true })
    await eventually(async () => expect((await site.get('/blog/fresh')).status).toBe(404))
    await eventually(async () => expect(await bodyOf('/blog')).not.toContain('Other words'))
  })

  it('notices a file that an editor replaces by renaming', async () => {
    write('blog/renamed/en.md', article('First version'))
    await eventually(async () => expect(await bodyOf('/blog/renamed')).toContain('First version'))
    write('blog/renamed/.en.md.swp', article('Second version'))
    renameSync(file('blog/renamed/.en.md.swp'), file('blog/renamed/en.md'))
    await eventually(async () => expect(await bodyOf('/blog/renamed')).toContain('Second version'))
  })

  it('leaves out a file while it is broken', async () => {
    write('blog/mended/en.md', article('Good'))
    await eventually(async () => expect((await site.get('/blog/mended')).status).toBe(200))
    write('blog/mended/en.md', article('Good').replace('proxies', 'Not A Slug'))
    await eventually(async () => expect((await site.get('/blog/mended')).status).toBe(404))
    await logged('problem: content/blog/mended/en.md:5: category')
    write('blog/mended/en.md', article('Good again'))
    await eventually(async () => expect(await bodyOf('/blog/mended')).toContain('Good again'))
    await logged('problem solved: content/blog/mended/en.md:5')
  })

  it.each(seoCases)(
    'takes the SEO record of $collection from the front matter, else from title and description',
    async (entry) => {
      const name = `${entry.collection}/${entry.id}/${entry.locale}.md`
      const before = readFileSync(file(name), 'utf8')
      const front = parse(before.split(/^---$/m)[1] ?? '') as Record<string, string>
      const plain = before.replace(/^seo_.*\n/gm, '')
      const withoutBrand = (text = ''): string => text.replaceAll('{{brand}}', 'Polyfacet')
      write(name, plain)
      await eventually(async () =>
        expect(await seoOf(entry)).toEqual({
          title: withoutBrand(front['title']),
          keywords: '',
          description: withoutBrand(front['description']),
          shared: withoutBrand(front['description']),
        }),
      )
      const fields = Object.entries(seoFields).map(([field, text]) => `seo_${field}: "${text}"\n`)
      write(name, plain.replace(/^---\n/, `---\n${fields.join('')}`))
      await eventually(async () =>
        expect(await seoOf(entry)).toEqual({ ...seoFields, shared: seoFields.description }),
      )
      write(name, before)
    },
  )

  it('publishes an article at its date, and never a draft', async () => {
    const statusOf = async (id: string): Promise<number> => (await site.get(`/blog/${id}`)).status
    const writeWith = (id: string, field: string): void =>
      write(`blog/${id}/en.md`, article(id).replace('---\n\n', `${field}\n---\n\n`))
    const publishAt = (time: number): void =>
      writeWith('later', `publish: ${new Date(time).toISOString()}`)
    publishAt(Date.now() + 3_600_000)
    writeWith('draft', 'draft: true')
    write('blog/compiled-last/en.md', article('Compiled last'))
    await eventually(async () => expect(await statusOf('compiled-last')).toBe(200))
    expect([await statusOf('later'), await statusOf('draft')]).toEqual([404, 404])
    const soon = Date.now() + 1500
    publishAt(soon)
    await eventually(async () => expect(await statusOf('later')).toBe(200))
    expect(Date.now()).toBeGreaterThanOrEqual(soon)
    expect(await statusOf('draft')).toBe(404)
  })

  it('must exist: the site does not start without the folder', () =>
    expect(startTestSite({ CONTENT_DIR: '/none' })).rejects.toThrow(
      'CONTENT_DIR="/none" is not accepted: a folder that exists',
    ))

  it('puts a new brand of site.yaml into every text', async () => {
    // Every text is compiled again, so this site has few.
    const folder = contentWith({}, ['docs/profiles'])
    const few = await startTestSite({ CONTENT_DIR: folder })
    const settings = join(folder, 'site.yaml')
    const before = readFileSync(settings, 'utf8')
    try {
      expect(await bodyOf('/docs/profiles', few)).toContain('Polyfacet')
      writeFileSync(settings, before.replace(/^brand: .*$/m, 'brand: Kaleido'))
      await eventually(async () => expect(await bodyOf('/', few)).toMatch(/<title>Kaleido/))
      expect(await bodyOf('/docs/profiles', few)).toContain('Kaleido')
      expect(await bodyOf('/docs/profiles', few)).not.toContain('Polyfacet')
      writeFileSync(settings, 'brand: [')
      await logged('problem: content/site.yaml', few)
      expect((await few.get('/pricing')).status).toBe(200)
      writeFileSync(settings, before)
      await eventually(async () => expect(await bodyOf('/', few)).not.toContain('Kaleido'))
    } finally {
      await few.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }, 120_000)

  it('is watched by one process, which is started again when it dies', async () => {
    const { pid } = site.child
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      // The search is a process too.
      .filter(
        (id) => id !== '' && readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('content.js'),
      )
    expect(children.length).toBe(1)
    process.kill(Number(children[0]), 'SIGKILL')
    await logged('the content process ended; starting it again')
    write('blog/after/en.md', article('After the fall'))
    await eventually(async () => expect(await bodyOf('/blog/after')).toContain('After the fall'))
  })
})

describe('a data folder that servers of several versions use', () => {
  it('has a file for each version; a server removes files that no process uses', async () => {
    const dataDir = seedContent(temporaryFolder('versions'))
    const anHourAgo = new Date(Date.now() - 3_600_000)
    // Servers of two versions are running and hold their locks. A third version ended an hour ago.
    // A deployment has compiled a fourth one, whose servers start next.
    const locks = ['content', 'content-1', 'content-2', 'content-3'].map((name) => {
      const database = join(dataDir, `${name}.db`)
      writeFileSync(database, `tables of ${name}`)
      if (name !== 'content-3') utimesSync(database, anHourAgo, anHourAgo)
      const lock = new Database(join(dataDir, `${name}.lock`))
      const isRunning = name === 'content' || name === 'content-1'
      lock.exec(isRunning ? 'BEGIN EXCLUSIVE' : 'PRAGMA user_version = 1')
      return lock
    })
    const running = await startTestSite({ CONTENT_DIR: content, DATA_DIR: dataDir })
    try {
      expect((await running.get('/blog')).status).toBe(200)
      await eventually(() => expect(existsSync(join(dataDir, 'content-2.db'))).toBe(false))
      for (const name of ['content', 'content-1', 'content-3'])
        expect(readFileSync(join(dataDir, `${name}.db`), 'utf8')).toBe(`tables of ${name}`)
    } finally {
      await running.stop()
      for (const lock of locks) lock.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  }, 60_000)
})

describe('the content that a deployment compiles before its servers start', () => {
  it('is left as it is where the version has it already', () => {
    const dataDir = temporaryFolder('compiled')
    expect(compileContent(content, dataDir, '--missing')).toBe('')
    expect(compileContent(content, dataDir)).toContain('"problems":3')
  })
})

describe('two servers on one data folder', () => {
  it('share one content process; the second starts one when the first is killed', async () => {
    const dataDir = seedContent(temporaryFolder('shared'))
    const first = await startTestSite({ CONTENT_DIR: content, DATA_DIR: dataDir })
    const second = await startTestSite({ CONTENT_DIR: content, DATA_DIR: dataDir })
    try {
      write('blog/both/en.md', article('Seen by both'))
      for (const running of [first, second])
        await eventually(async () =>
          expect((await running.get('/blog/both')).body).toContain('Seen by both'),
        )
      const ended = new Promise((resolve) => first.child.once('exit', resolve))
      first.child.kill('SIGKILL')
      await ended
      write('blog/both/en.md', article('After the take-over'))
      await eventually(async () =>
        expect((await second.get('/blog/both')).body).toContain('After the take-over'),
      )
    } finally {
      await first.stop()
      await second.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  }, 60_000)
})
