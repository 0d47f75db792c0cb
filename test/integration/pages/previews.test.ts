import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { previewPath, previewSecret } from '../../../server/pages/previews/preview-link'
import { contentWith } from '../../../testing/content-copy'
import { programSettings, root } from '../../../testing/root'
import { eventually, searchSite, startTestSite, type TestSite } from '../../../testing/site'

const pixel = 'https://counter.stats.test/pixel.gif'
const content = contentWith({
  csp: { img: ['https://counter.stats.test'] },
  statistics: {
    title: '<meta name="site-verification" content="abc">',
    body: `<noscript><img src="${pixel}"></noscript>`,
  },
})
const write = (path: string, text: string): void => {
  mkdirSync(join(content, path, '..'), { recursive: true })
  writeFileSync(join(content, path), text)
}
const draft = (title: string, front: string): string =>
  `---\ntitle: "${title}"\ndescription: "About ${title}, in a sentence"\ndate: 2026-11-12\ncategory: proxies\n${front}---\n\nUnfinished words.\n`
const hour = 60 * 60 * 1000

let site: TestSite
beforeAll(async () => {
  write(
    'blog/secret-plan/en.md',
    `${draft('Secret plan', 'draft: true\ncover: cover.png\ncoverAlt: "Cover"\n')}\n![A shot](shot.png)\n`,
  )
  for (const name of ['secret-plan/cover.png', 'secret-plan/shot.png', 'other-plan/shot.png']) {
    mkdirSync(join(content, 'blog', name, '..'), { recursive: true })
    copyFileSync(join(content, 'blog/choosing-a-proxy-type/cover.png'), join(content, 'blog', name))
  }
  write('blog/other-plan/en.md', draft('Other plan', 'draft: true\n'))
  write(
    'alternatives/new-rival/en.md',
    readFileSync(join(content, 'alternatives/multilogin/en.md'), 'utf8')
      .replace('---\n', '---\ndraft: true\n')
      .replace(/^related: .*$/m, 'related: [gologin, none]'),
  )
  write('blog/next-year/es.md', draft('El año que viene', 'publish: 2036-01-01T09:00Z\n'))
  site = await startTestSite({ CONTENT_DIR: content })
}, 120_000)
afterAll(async () => {
  await site.stop()
  rmSync(content, { recursive: true, force: true })
})

const link = (id: string, locale: 'en' | 'es', expires = Date.now() + hour): string =>
  previewPath({ collection: 'blog', id, locale, expires }, previewSecret(site.dataDir))

describe('previews', () => {
  it('show a draft to everyone with the link, private and not indexed', async () => {
    const { status, headers, body } = await site.get(link('secret-plan', 'en'))
    expect({
      status,
      cache: headers['cache-control'],
      robots: headers['x-robots-tag'],
      referrer: headers['referrer-policy'],
    }).toEqual({
      status: 200,
      cache: 'private, no-store',
      robots: 'noindex',
      referrer: 'no-referrer',
    })
    expect(body).toContain('Unfinished words.')
    expect(body).toContain('<meta name="robots" content="noindex">')
    expect(body).not.toContain('rel="canonical"')
    expect((await site.get(link('next-year', 'es'))).body).toContain('<html lang="es-ES"')
  })

  it('link a draft to published pages, but no published page to it', async () => {
    const preview = { collection: 'alternatives', id: 'new-rival', locale: 'en' } as const
    const { status, body } = await site.get(
      previewPath({ ...preview, expires: Date.now() + hour }, previewSecret(site.dataDir)),
    )
    expect(status).toBe(200)
    const [, related = ''] = body.split('data-expose="cards-related"')
    expect(related.split('</section>')[0]).toContain('href="/alternatives/gologin"')
    expect((await site.get('/alternatives/gologin')).body).not.toContain('new-rival')
  })

  it('keep the draft out of public pages', async () => {
    await site.get(link('secret-plan', 'en'))
    expect((await site.get('/blog/secret-plan')).status).toBe(404)
    for (const path of [
      '/blog',
      '/blog/feed.xml',
      '/en-US-sitemap.xml',
      '/llms.txt',
      '/links',
      '/es-ES-sitemap.xml',
    ])
      expect((await site.get(path)).body).not.toMatch(/secret-plan|next-year/)
    expect((await site.get('/blog/secret-plan.md')).status).toBe(404)
    const found = await searchSite(site, 'unfinished', 'en')
    expect(JSON.stringify(found)).not.toContain('secret-plan')
  })

  describe('pictures beside a draft', () => {
    const pictures = (body: string): string[] => [
      ...new Set([...body.matchAll(/\/_image\/[^\s"]+/g)].map(([url]) => url)),
    ]
    const shot = '/_image/w_320/content/blog/secret-plan/shot.png'

    it('are shown by its preview, privately', async () => {
      const { body } = await site.get(link('secret-plan', 'en'))
      const urls = pictures(body).filter((url) => url.includes('/content/'))
      expect(urls.some((url) => url.includes('cover.png'))).toBe(true)
      expect(urls.some((url) => url.includes('shot.png'))).toBe(true)
      for (const url of urls) {
        const { status, headers } = await site.get(url)
        expect([url, status, headers['cache-control']]).toEqual([url, 200, 'private, no-store'])
        expect([url, (await site.get(url.split('?')[0] ?? '')).status]).toEqual([url, 404])
      }
    })

    it.each<[string, (token: string) => string, number]>([
      ['without a signature', () => shot, 404],
      ['with an empty one', () => `${shot}?preview=`, 404],
      ['with a changed one', (token) => `${shot}?preview=${token}x`, 404],
      ['of another draft', (token) => `${shot.replace('secret', 'other')}?preview=${token}`, 404],
      [
        'by a path through a published article',
        () => shot.replace('secret-plan/', 'choosing-a-proxy-type/../secret-plan/'),
        400,
      ],
      ['by an encoded path', () => shot.replace('/content/blog/', '/content%2Fblog%2F'), 404],
      ['in other letters', () => shot.replace('secret-plan', 'Secret-Plan'), 404],
      ['with its signature', (token) => `${shot}?preview=${token}`, 200],
      [
        'of a published article',
        () => '/_image/w_320/content/blog/choosing-a-proxy-type/cover.png',
        200,
      ],
    ])('%s', async (_title, url, status) => {
      const token = link('secret-plan', 'en').split('/').at(-1) ?? ''
      expect((await site.get(url(token))).status).toBe(status)
    })

    it('are refused when the link has expired', async () => {
      const token =
        link('secret-plan', 'en', Date.now() - 1)
          .split('/')
          .at(-1) ?? ''
      const { status, headers } = await site.get(`${shot}?preview=${token}`)
      expect([status, headers['cache-control']]).toEqual([404, 'no-store'])
    })
  })

  it('hold nothing of the statistics snippets', async () => {
    const { body } = await site.get(link('secret-plan', 'en'))
    expect(body).not.toMatch(/counter\.stats\.test|site-verification/)
    expect((await site.get('/pricing')).body).toContain(pixel)
  })

  it('send no referrer, also when the link is refused', async () => {
    for (const path of [link('secret-plan', 'en'), link('secret-plan', 'en', 1), '/_preview/x'])
      expect((await site.get(path)).headers['referrer-policy']).toBe('no-referrer')
  })

  it('expire, and are refused when any part of the link is changed', async () => {
    expect((await site.get(link('secret-plan', 'en', Date.now() - 1))).status).toBe(404)
    const good = link('secret-plan', 'en')
    const [, payload = '', signature = ''] = /^\/_preview\/([^.]+)\.(.+)$/.exec(good) ?? []
    const other = Buffer.from(
      Buffer.from(payload, 'base64url').toString().replace('secret-plan', 'other-plan'),
    ).toString('base64url')
    for (const path of [
      `/_preview/${other}.${signature}`,
      `/_preview/${payload}.`,
      `/_preview/${payload}`,
      `/_preview/${payload}.${signature}x`,
      `/_preview/${payload}.${signature}.${signature}`,
      '/_preview/',
      '/_preview',
      '/_preview/%7B%7D.x',
    ])
      expect({ path, status: (await site.get(path)).status }).toEqual({ path, status: 404 })
    expect((await site.get(link('no-such-text', 'en'))).status).toBe(404)
  })

  it('are signed with a key that only the site can read', () => {
    expect(statSync(join(site.dataDir, 'preview.secret')).mode & 0o777).toBe(0o600)
  })

  it('have a command that prints the link, valid for the running site', async () => {
    const output = execFileSync(
      process.execPath,
      [
        join(root, 'node_modules/tsx/dist/cli.mjs'),
        join(root, 'scripts/content-preview.ts'),
        'blog/secret-plan',
        'en',
      ],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        env: { ...programSettings(), DATA_DIR: site.dataDir, CONTENT_DIR: content },
      },
    )
    await eventually(async () =>
      expect((await site.get(new URL(output.trim()).pathname)).status).toBe(200),
    )
  })
})
