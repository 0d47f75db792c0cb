import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createCompiler } from '../../../server/content/compile/compiler'
import { openForWriting, type Connection } from '../../../server/content/database'
import { createRelatedFinder } from '../../../server/content/store/related'
import { relatedTerms } from '../../../server/content/compile/related-terms'
import type { LocaleCode } from '../../../shared/i18n/locales'
import { root } from '../../../testing/root'
import { temporaryFolder } from '../../../testing/release-with-tests'

type Text = { title: string; body: string; tags?: string[]; date?: string; draft?: boolean }
const folders: string[] = []
function open(): { folder: string; db: Connection; compile: ReturnType<typeof createCompiler> } {
  const folder = temporaryFolder('related')
  folders.push(folder)
  copyFileSync(join(root, 'content', 'site.yaml'), join(folder, 'site.yaml'))
  const db = openForWriting(join(folder, 'content.db'))
  return {
    folder,
    db,
    compile: createCompiler(db, {
      content: folder,
      locales: join(folder, 'no-locales'),
      public: join(root, 'public'),
      compiler: 'test',
      routes: 'test',
    }),
  }
}
function write(
  folder: string,
  id: string,
  locale: LocaleCode,
  { title, body, tags = [], date = '2026-11-01', draft = false }: Text,
): void {
  mkdirSync(join(folder, 'blog', id), { recursive: true })
  writeFileSync(
    join(folder, 'blog', id, `${locale}.md`),
    `---\ntitle: ${JSON.stringify(title)}\ndescription: "About it, in one sentence"\ndate: ${date}\ncategory: proxies\ntags: [${tags.join(', ')}]\n${draft ? 'draft: true\n' : ''}---\n\n${body}\n`,
  )
}
const articles: Array<[string, LocaleCode, Text]> = [
  [
    'lighthouse',
    'en',
    {
      title: 'Lighthouses and their keepers',
      body: 'The keeper trims the lantern at dusk. Ships see the lantern from the harbour.',
      tags: ['sea'],
    },
  ],
  [
    'harbour',
    'en',
    {
      title: 'A lantern over the harbour',
      body: 'Ships wait in the harbour until the keepers light the lantern.',
      tags: ['port'],
    },
  ],
  [
    'sailing',
    'en',
    { title: 'Sailing for beginners', body: 'Ropes, knots and patience.', tags: ['sea'] },
  ],
  [
    'bread',
    'en',
    { title: 'Sourdough at home', body: 'Flour, water, salt and a warm kitchen.', tags: ['food'] },
  ],
  [
    'rye',
    'en',
    {
      title: 'Rye sourdough',
      body: 'Rye flour needs more water and a warm kitchen too.',
      tags: ['food'],
    },
  ],
  [
    'hidden',
    'en',
    {
      title: 'Lighthouse keepers and the harbour lantern',
      body: 'Ships and keepers.',
      tags: ['sea'],
      draft: true,
    },
  ],
  ['lonely', 'en', { title: 'Quantum chromodynamics', body: 'Gluons.' }],
  [
    'zh-a',
    'zh',
    { title: '浏览器指纹怎么检查', body: '检查分辨率、字体和时区，再检查代理的地址。' },
  ],
  ['zh-b', 'zh', { title: '字体与分辨率', body: '浏览器指纹里，字体、分辨率和时区要一致。' }],
  ['zh-c', 'zh', { title: '退款', body: '信用卡退款需要三天。' }],
  [
    'ko-a',
    'ko',
    {
      title: '브라우저 지문을 확인하는 방법',
      body: '글꼴과 해상도를 확인합니다. 시간대도 봅니다.',
    },
  ],
  [
    'ko-b',
    'ko',
    { title: '글꼴과 해상도', body: '지문에는 글꼴이 있고 시간대는 브라우저에서 읽습니다.' },
  ],
  ['ko-c', 'ko', { title: '환불', body: '카드 환불은 사흘이 걸립니다.' }],
  [
    'ru-a',
    'ru',
    {
      title: 'Профили и отпечатки',
      body: 'Отпечатки браузера складываются из шрифтов и разрешения экрана.',
    },
  ],
  [
    'ru-b',
    'ru',
    {
      title: 'Что такое отпечаток',
      body: 'В браузере видны шрифты, разрешение и часовой пояс. У каждого профиля свои.',
    },
  ],
  ['ru-c', 'ru', { title: 'Возврат денег', body: 'Деньги приходят за три дня.' }],
]

let site: ReturnType<typeof open>
let related: ReturnType<typeof createRelatedFinder>
beforeAll(() => {
  site = open()
  for (const [id, locale, text] of articles) write(site.folder, id, locale, text)
  expect(site.compile().problems).toEqual([])
  related = createRelatedFinder(site.db)
})
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

describe('related articles', () => {
  it('share words of their texts, even without a shared tag', () => {
    expect(related('blog', 'harbour', ['en'], 3)).toEqual(['lighthouse'])
    expect(related('blog', 'lighthouse', ['en'], 3)).toContain('harbour')
  })
  it('share tags, even without a shared word', () => {
    expect(related('blog', 'sailing', ['en'], 3)).toEqual(['lighthouse'])
    expect(related('blog', 'rye', ['en'], 3)[0]).toBe('bread')
  })
  it.each([
    ['zh', 'zh-a', 'zh-b'],
    ['ko', 'ko-a', 'ko-b'],
    ['ru', 'ru-a', 'ru-b'],
  ] as const)('are found in %s with different word endings', (locale, id, other) => {
    expect(related('blog', id, [locale], 3)).toEqual([other])
    expect(related('blog', other, [locale], 3)).toEqual([id])
  })
  it('are neither unrelated articles, nor the article itself, nor drafts', () => {
    expect(related('blog', 'lonely', ['en'], 3)).toEqual([])
    expect(related('blog', 'nothing-like-it', ['en'], 3)).toEqual([])
    for (const [id] of articles)
      expect(related('blog', id, ['en'], 10)).not.toEqual(expect.arrayContaining([id]))
    for (const [id] of articles) expect(related('blog', id, ['en'], 10)).not.toContain('hidden')
  })
  it('are searched in the languages that the page shows', () => {
    write(site.folder, 'harbour', 'th', { title: 'ท่าเรือ', body: 'เรือรออยู่ที่ท่าเรือ', tags: ['port'] })
    site.compile()
    expect(related('blog', 'harbour', ['th', 'en'], 3)).toEqual(['lighthouse'])
    expect(related('blog', 'harbour', ['th'], 3)).toEqual([])
  })
  it('do not depend on the order of compilation; the newer is first among equals', () => {
    const orders = [articles, [...articles].reverse()].map((order) => {
      const other = open()
      for (const [id, locale, text] of order) {
        write(other.folder, id, locale, text)
        other.compile([`blog/${id}`])
      }
      for (const [number, id] of ['twin-a', 'twin-b', 'twin-c'].entries()) {
        write(other.folder, id, 'en', {
          title: 'Sourdough bread at home',
          body: 'Flour and water.',
          tags: ['food'],
          date: `2026-10-0${1 + number}`,
        })
        other.compile([`blog/${id}`])
      }
      const answer = createRelatedFinder(other.db)
      return articles.map(([id, locale]) => [id, answer('blog', id, [locale], 5)] as const)
    })
    expect(orders[0]).toEqual(orders[1])
    const bread = orders[0]?.find(([id]) => id === 'bread')?.[1] ?? []
    expect(bread.filter((id) => id.startsWith('twin-'))).toEqual(['twin-c', 'twin-b', 'twin-a'])
  })
  it('do not use the text of an article from before it was edited or removed', () => {
    write(site.folder, 'lighthouse', 'en', { title: 'Something else', body: 'Nothing to see.' })
    site.compile()
    expect(related('blog', 'harbour', ['en'], 3)).toEqual([])
    rmSync(join(site.folder, 'blog', 'rye'), { recursive: true })
    site.compile()
    expect(related('blog', 'bread', ['en'], 3)).toEqual([])
    expect(
      site.db
        .prepare('SELECT count(*) AS n FROM terms WHERE article NOT IN (SELECT key FROM articles)')
        .get(),
    ).toEqual({ n: 0 })
    expect(
      site.db
        .prepare(
          'SELECT count(*) AS n FROM article_terms WHERE article NOT IN (SELECT key FROM articles)',
        )
        .get(),
    ).toEqual({ n: 0 })
  })
})

describe('the change of an article', () => {
  it('purges articles that may show it from now on, and no others', () => {
    const { folder, db, compile } = open()
    for (const [id, locale, text] of articles) write(folder, id, locale, text)
    compile()
    const tagsSince = (generation: number): string[] =>
      (
        db
          .prepare('SELECT DISTINCT tag FROM changes WHERE generation > ? ORDER BY tag')
          .all(generation) as Array<{ tag: string }>
      ).map(({ tag }) => tag)
    const { generation } = compile()
    write(folder, 'baguette', 'en', {
      title: 'A baguette at home',
      body: 'Water, salt and a kitchen that is not too warm, flour besides.',
    })
    compile()
    expect(tagsSince(generation)).toEqual(['blog', 'blog/baguette', 'blog/bread', 'blog/rye'])
    for (let number = 1; number <= 51; number += 1)
      write(folder, `many-${number}`, 'en', { title: `One of many, ${number}`, body: 'Words.' })
    const before = compile().generation
    expect(tagsSince(before - 2)).toContain('related:blog')
  })
})

describe('the terms of an article', () => {
  const terms = (text: string, locale: LocaleCode = 'en'): string[] =>
    relatedTerms({ title: 'x', description: 'x', headings: [], text, locale })
  it('are at most 32', () => {
    expect(
      terms(
        Array.from(
          { length: 500 },
          (_, index) =>
            `${'abcdefghij'[index % 10]}${'klmnopqrst'[Math.floor(index / 10) % 10]}${'uvwxyzabcd'[Math.floor(index / 100)]}zz`,
        ).join(' '),
      ).length,
    ).toBe(32)
    expect(terms('')).toEqual([])
    expect(terms('12345 67890 😀 " * --')).toEqual([])
  })
  it('rank the title before the text', () => {
    expect(
      relatedTerms({
        title: 'Lantern',
        description: '',
        headings: [],
        text: 'harbour '.repeat(30),
        locale: 'en',
      })[0],
    ).toBe('lanter')
  })
})
