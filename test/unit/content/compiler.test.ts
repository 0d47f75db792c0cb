import fs, { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { checkContent } from '../../../server/content/compile/check-content'
import { createCompiler } from '../../../server/content/compile/compiler'
import type { Sources } from '../../../server/content/compile/source-files'
import { openForWriting, type Connection } from '../../../server/content/database'
import { createListQueries } from '../../../server/content/store/list-queries'
import { createPageResolver } from '../../../server/search/resolve-page'
import { openApiPath } from '../../../server/content/source-path'
import { siteConfigSchema } from '../../../server/content/site-config'
import { localeCodes, locales, type LocaleCode } from '../../../shared/i18n/locales'
import { temporaryFolder } from '../../../testing/release-with-tests'

let folder: string
let db: Connection
let compile: ReturnType<typeof createCompiler>
let writes = 0
const write = (path: string, text: string): void => {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), text)
  // Two texts of the same size, written at once, still have different times.
  writes += 1
  utimesSync(join(folder, path), writes, writes)
}
const sourcesWith = (ids: { compiler?: string; routes?: string }): Sources => ({
  content: join(folder, 'content'),
  locales: join(folder, 'locales'),
  public: join(folder, 'public'),
  compiler: 'test',
  routes: 'test',
  ...ids,
})
const article = (body: string): string =>
  `---\ntitle: "A"\ndescription: "About A"\ndate: 2026-11-01\ncategory: proxies\n---\n\n${body}\n`

/** A description of an API with one operation. */
const smallApi = `openapi: 3.1.0
info: { title: Local API, version: 1.0.0, description: Read profiles. }
servers: [{ url: http://127.0.0.1:35000/v1 }]
security: [{ token: [] }]
tags: [{ name: profiles, description: Read profiles. }]
paths:
  /profiles:
    get:
      operationId: listProfiles
      tags: [profiles]
      summary: List profiles
      responses:
        '200':
          description: All profiles
          content: { application/json: { schema: { type: integer }, example: 1 } }
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  schemas: {}
`

beforeEach(() => {
  folder = temporaryFolder('compiler')
  write('content/site.yaml', 'brand: Kaleido\n')
  db = openForWriting(join(folder, 'content.db'))
  compile = createCompiler(db, sourcesWith({}))
})
afterEach(() => {
  db.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Tags of the newest generation. */
const changedTags = () =>
  db
    .prepare<[], { tag: string }>(
      'SELECT tag FROM changes WHERE generation = (SELECT max(generation) FROM changes)',
    )
    .all()
    .map(({ tag }) => tag)
const texts = () => db.prepare('SELECT locale, namespace, json FROM texts').all()

describe('a file of interface texts', () => {
  const file = 'locales/en/home.json'
  const good = { locale: 'en', namespace: 'home', json: '{"a":"A"}' }

  it.each([
    ['a missing comma', '{\n  "a": "A"\n  "b": "B"\n}', 3, /^Expected ',' or '}'/],
    ['a comma too many', '{\n  "a": "A",\n}', 3, /^Expected double-quoted property name/],
    ['a line feed in a text', '{\n  "a": "A\n"}', 2, /^Bad control character/],
    ['a word without quotes', '{\n  "a": A\n}', 2, /^Unexpected token 'A', "{ "a": A }" is not/],
    ['an end that is missing', '{\n  "a": "A"\n', 3, /^Expected ',' or '}'/],
    ['two braces', '{\n  "a": "A",\n  }}', 3, /./],
    ['a list', '[\n"A"]', 1, /^a JSON object is expected$/],
    ['nothing', '', 1, /./],
  ])(
    'with %s is reported with its line, and its last texts stay',
    (_name, source, line, reason) => {
      write(file, '{ "a": "A" }')
      expect(compile().problems).toEqual([])
      write(file, source)
      expect(compile().problems).toEqual([{ file, line, reason: expect.stringMatching(reason) }])
      expect(texts()).toEqual([good])
      write(file, '{ "a": "B" }')
      expect(compile().problems).toEqual([])
      expect(texts()).toEqual([{ ...good, json: '{"a":"B"}' }])
    },
  )

  it('that is removed takes its texts along, and announces its language', () => {
    write(file, '{ "a": "A" }')
    write('locales/es/home.json', '{ "a": "A" }')
    compile()
    rmSync(join(folder, file))
    expect(compile()).toMatchObject({ removed: 1, changed: true })
    expect(texts()).toEqual([{ ...good, locale: 'es' }])
    expect(changedTags()).toContain('locale:en')
    expect(changedTags()).not.toContain('locale:es')
  })

  it('of no known namespace or language is ignored', () => {
    write('locales/en/unknown.json', '[')
    write('locales/xx/home.json', '[')
    expect(compile().problems).toEqual([])
    expect(texts()).toEqual([])
  })
})

describe('site.yaml', () => {
  it('that is missing is reported, and its last settings stay', () => {
    write('content/blog/a/en.md', article('Of {{brand}}.'))
    compile()
    rmSync(join(folder, 'content/site.yaml'))
    expect(compile().problems).toEqual([
      { file: 'content/site.yaml', line: 1, reason: 'the file is missing' },
    ])
    expect(db.prepare("SELECT html FROM articles WHERE id = 'a'").get()).toEqual({
      html: '<p>Of Kaleido.</p>\n',
    })
  })

  it('that is invalid is reported until it is corrected, and not parsed again meanwhile', () => {
    write('content/site.yaml', 'brand: Kaleido\ncolour: red\n')
    const problem = { file: 'content/site.yaml', line: 2, reason: expect.any(String) }
    compile()
    expect(compile()).toMatchObject({ problems: [problem], changed: false })
    const parsed = jest.spyOn(siteConfigSchema, 'safeParse')
    expect(compile().problems).toEqual([problem])
    expect(parsed).not.toHaveBeenCalled()
    write('content/site.yaml', 'brand: Prism\n')
    expect(compile()).toMatchObject({ problems: [], changed: true })
    expect(parsed).toHaveBeenCalledTimes(1)
  })
})

describe('redirects', () => {
  it('may lead to the documentation while it is empty', () => {
    write('content/redirects.yaml', '- { from: /manual, to: /docs }\n')
    expect(compile().problems).toEqual([])
    expect(
      db
        .prepare("SELECT json_array_length(json) AS rows FROM documents WHERE name = 'redirects'")
        .get(),
    ).toEqual({ rows: 1 })
  })

  /** How many generations announced the table, which purges all pages. */
  const announced = (): unknown =>
    db.prepare("SELECT count(*) FROM changes WHERE tag = 'redirects'").pluck().get()

  it('that hide an article are reported as long as it is public', () => {
    const hides = '/blog/a: starts on a live page, which visitors can no longer reach'
    write('content/redirects.yaml', '- { from: /blog/a, to: /pricing }\n')
    expect(compile().problems).toEqual([])
    write('content/blog/a/en.md', article('A'))
    expect(compile().problems).toMatchObject([{ reason: hides }])
    rmSync(join(folder, 'content/blog/a'), { recursive: true })
    expect(compile().problems).toEqual([])
    expect(announced()).toBe(1)
  })

  it.each([
    [
      'the first document',
      '- { from: /docs/a, to: /docs }\n',
      'content/docs/a/en.md',
      '---\ntitle: "A"\ndescription: "About A"\nsection: start\norder: 1\n---\n\nA\n',
    ],
    ['a setting', '- { from: /, to: /pre-sales }\n', 'content/site.yaml', 'brand: Kaleido\n'],
  ])('that become loops by %s are left out', (_name, rows, path, text) => {
    const table = (): unknown =>
      db.prepare("SELECT json FROM documents WHERE name = 'redirects'").pluck().get()
    write('content/site.yaml', 'brand: Kaleido\npre_sales: true\n')
    write('content/redirects.yaml', rows)
    compile()
    expect(table()).not.toBe('[]')
    write(path, text)
    expect(compile().problems).toMatchObject([{ reason: expect.stringContaining(': loops: ') }])
    expect([table(), announced()]).toEqual(['[]', 2])
  })
})

describe('what cannot be read', () => {
  // Replaced functions, because permissions do not apply to root, who may run the tests.
  function hide(path: string): void {
    const hidden = join(folder, path)
    const refuse = (asked: unknown): void => {
      if (asked === hidden || String(asked).startsWith(hidden + sep))
        throw Object.assign(new Error('EACCES'), { code: 'EACCES' })
    }
    for (const name of ['statSync', 'readFileSync', 'readdirSync'] as const) {
      const original = fs[name] as (...args: unknown[]) => unknown
      jest.spyOn(fs, name).mockImplementation(((...args: unknown[]) => {
        refuse(args[0])
        return original(...args)
      }) as never)
    }
  }
  const stored = (): unknown[] =>
    [
      'SELECT path, digest FROM articles ORDER BY path',
      'SELECT * FROM texts',
      'SELECT * FROM documents',
    ].map((query) => db.prepare(query).all())
  const problemsIn = (files: readonly string[]) =>
    files.map((file) => ({ file, line: 1, reason: 'cannot be read (EACCES)' }))
  const siteFiles = [openApiPath, 'product.yaml', 'redirects.yaml', 'site.yaml']

  beforeEach(() => {
    write('content/blog/a/en.md', article('A'))
    write('content/redirects.yaml', '- { from: /old, to: /pricing }\n')
    write('locales/en/home.json', '{ "a": "A" }')
    write(`content/${openApiPath}`, smallApi)
  })

  it.each([
    ['content/blog/a/en.md', '', ['content/blog/a/en.md']],
    ['content/blog/a', 'blog/a', ['content/blog/a/']],
    ['content', '', ['content/', ...siteFiles.map((name) => `content/${name}`)]],
    ['locales/en/home.json', '', ['locales/en/home.json']],
    ['locales', '', ['locales/']],
  ])('is reported and keeps its last form: %s', (path, under, reported) => {
    expect(compile().problems).toEqual([])
    const before = stored()
    hide(path)
    for (let run = 0; run < 2; run += 1)
      expect(compile([under])).toMatchObject({
        ...{ removed: 0, changed: false, problems: problemsIn(reported) },
      })
    expect(stored()).toEqual(before)
    jest.restoreAllMocks()
    expect(compile()).toMatchObject({ removed: 0, problems: [] })
    expect(stored()).toEqual(before)
  })

  it('may be a content folder that is missing for a while', () => {
    compile()
    const before = stored()
    renameSync(join(folder, 'content'), join(folder, 'away'))
    expect(compile()).toMatchObject({
      ...{ removed: 0, changed: false },
      problems: [{ file: 'content', reason: expect.stringMatching(/^the folder is missing; /) }],
    })
    expect(stored()).toEqual(before)
    renameSync(join(folder, 'away'), join(folder, 'content'))
    expect(compile()).toMatchObject({ removed: 0, changed: false, problems: [] })
  })

  it('does not keep other files from being published', () => {
    hide('content/blog/a/en.md')
    write('content/blog/b/en.md', article('B'))
    expect(compile().problems).toEqual(problemsIn(['content/blog/a/en.md']))
    const paths = db.prepare("SELECT path FROM articles WHERE collection = 'blog'").pluck().all()
    expect(paths).toEqual(['content/blog/b/en.md'])
    rmSync(join(folder, 'content/blog/a'), { recursive: true })
    expect(compile().problems).toEqual([])
  })
})

describe('a symbolic link', () => {
  const problemOf = (file: string) => ({ file, line: 1, reason: 'is a symbolic link: not read' })
  const paths = (): unknown => db.prepare('SELECT path FROM articles ORDER BY path').pluck().all()
  const link = (target: string, path: string): void => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    symlinkSync(join(folder, target), join(folder, path))
  }
  beforeEach(() => {
    write('content/blog/a/en.md', article('A'))
    write('content/blog/a/a.png', '')
    write('locales/en/home.json', '{ "a": "A" }')
  })

  it.each([
    ['an article', 'content/blog/a/en.md', 'content/blog/b/en.md'],
    ['the folder of an article', 'content/blog/a', 'content/blog/b'],
    ['a collection', 'content/blog', 'content/news'],
    ['a picture', 'content/blog/a/a.png', 'content/blog/b/b.png'],
    ['nothing', 'content/blog/nothing.md', 'content/blog/b/en.md'],
    ['itself', 'content/blog/b/en.md', 'content/blog/b/en.md'],
    ['interface texts', 'locales/en/home.json', 'locales/es/home.json'],
    ['a language', 'locales/en', 'locales/es'],
  ])('to %s is reported as long as it is there, and left out', (_name, target, path) => {
    link(target, path)
    for (let run = 0; run < 2; run += 1) {
      expect(compile().problems).toEqual([problemOf(path)])
      expect(paths()).toEqual(['content/blog/a/en.md'])
      expect(texts()).toHaveLength(1)
    }
    rmSync(join(folder, path))
    expect(compile().problems).toEqual([])
  })

  it('in place of an article removes it', () => {
    write('content/blog/b/en.md', article('B'))
    compile()
    renameSync(join(folder, 'content/blog/b'), join(folder, 'moved'))
    link('moved', 'content/blog/b')
    expect(compile()).toMatchObject({ removed: 1, problems: [problemOf('content/blog/b')] })
    expect(paths()).toEqual(['content/blog/a/en.md'])
  })

  it('may be what is not compiled, site.yaml, or the whole folder', () => {
    link('content/blog/a/en.md', 'content/blog/a/note.txt')
    link('content/blog/a', 'content/blog/.hidden')
    renameSync(join(folder, 'content/site.yaml'), join(folder, 'site.yaml'))
    link('site.yaml', 'content/site.yaml')
    renameSync(join(folder, 'content'), join(folder, 'v1'))
    link('v1', 'content')
    expect(compile().problems).toEqual([])
    expect(paths()).toEqual(['content/blog/a/en.md'])
  })
})

describe('a text whose address shows something else', () => {
  const page = article('Text.').replace(/date:.*\n|category:.*\n/g, '')
  const landing = `---\ntitle: "F"\ndescription: "About F"\nlead: "L"\nicon: robot\nbenefits: [{ title: a, text: b }, { title: a, text: b }, { title: a, text: b }]\nsteps: [{ title: a, text: b }, { title: a, text: b }, { title: a, text: b }]\nquestions: [{ question: a, answer: b }, { question: a, answer: b }]\n---\n`
  it.each([
    ['pricing', '/pricing is a page of the site itself'],
    ['app', '/app is a reserved path'],
    ['es', '/es is a reserved path'],
    ['rpa', '/rpa shows features/rpa'],
  ])('is reported, and in no search: %s', (id, reason) => {
    write('content/features/rpa/en.md', landing)
    write(`content/pages/${id}/en.md`, page)
    write('content/pages/own/en.md', page)
    const file = `content/pages/${id}/en.md`
    const reported = [{ file, line: 1, reason: `no page shows this text: ${reason}` }]
    for (let run = 0; run < 2; run += 1) expect(compile().problems).toEqual(reported)
    const key = db.prepare<[string], number>('SELECT key FROM articles WHERE path = ?').pluck()
    const resolver = createPageResolver(db)
    const urlOf = (path: string) => resolver.resolve(key.get(path) ?? 0, 'en', 'en', [])?.url
    expect([file, 'content/pages/own/en.md'].map(urlOf)).toEqual([undefined, '/own'])
    rmSync(join(folder, file))
    expect(compile().problems).toEqual([])
  })

  it('is shown when the other entry is removed', () => {
    write('content/features/rpa/en.md', landing)
    write('content/pages/rpa/en.md', page)
    expect(compile().problems).toHaveLength(1)
    rmSync(join(folder, 'content/features/rpa/en.md'))
    expect(compile().problems).toEqual([])
  })
})

describe('the counts of lists', () => {
  const tagged = (category: string, tags: string): string =>
    article('A').replace('proxies', category).replace('---\n\n', `tags: [${tags}]\n---\n\n`)

  it('announce the collection when they change, because its lists show them', () => {
    write('content/blog/a/en.md', article('A'))
    compile()
    write('content/blog/b/en.md', article('B'))
    compile()
    expect(changedTags()).toEqual(['blog'])
    write('content/blog/b/en.md', article('B, edited'))
    compile()
    expect(changedTags()).toContain('blog/b')
    rmSync(join(folder, 'content/blog/a'), { recursive: true })
    compile()
    expect(changedTags()).toEqual(['blog'])
  })

  it('are those of the entries that each language shows', () => {
    write('content/blog/a/en.md', tagged('proxies', 'a, b'))
    write('content/blog/a/th.md', tagged('teams', 'a'))
    write('content/blog/b/en.md', tagged('proxies', 'b'))
    write('content/blog/c/zh.md', tagged('proxies', 'a'))
    write('content/blog/d/es.md', tagged('proxies', 'a').replace('date', 'draft: true\ndate'))
    write('content/blog/e/es.md', article('A'))
    compile()
    const lists = createListQueries(db)
    const stored = db
      .prepare<[], { locale: LocaleCode; category: string; tag: string; total: number }>(
        "SELECT locale, category, tag, total FROM outline WHERE collection = 'blog'",
      )
      .all()
    const shown = localeCodes.flatMap((locale) =>
      [
        ['', ''],
        ...['proxies', 'teams'].flatMap((category) => ['', 'a', 'b'].map((tag) => [category, tag])),
      ].flatMap(([category = '', tag = '']) => {
        const filter = { ...(category && { category }), tags: tag ? [tag] : [] }
        const scope = { collection: 'blog' as const, chain: locales[locale].fallback }
        const total = lists.count(scope, filter)
        return total > 0 ? [{ locale, category, tag, total }] : []
      }),
    )
    const sorted = (rows: object[]): string[] => rows.map((row) => JSON.stringify(row)).sort()
    expect(sorted(stored)).toEqual(sorted(shown))
    expect(stored).toContainEqual({ locale: 'th', category: 'teams', tag: 'a', total: 1 })
    expect(stored).toContainEqual({ locale: 'tc', category: 'proxies', tag: 'a', total: 2 })
  })
})

describe('a change of an article purges the ones before and after it by date', () => {
  const post = (date: string, front = ''): string =>
    article('A').replace('date: 2026-11-01', `date: ${date}\n${front}`.trimEnd())
  const hourMs = 60 * 60 * 1000
  const soon = new Date(Date.now() + hourMs).toISOString().replace(/:\d\d\.\d+Z$/, 'Z')

  it.each<[string, () => void, string[]]>([
    [
      'that is added',
      () => write('content/blog/x/en.md', post('2026-02-15')),
      ['blog/february', 'blog/march', 'blog/x'],
    ],
    [
      'that is added as the newest',
      () => write('content/blog/x/en.md', post('2026-08-01')),
      ['blog/june', 'blog/x'],
    ],
    [
      'with the date of another one',
      () => write('content/blog/x/en.md', post('2026-03-01')),
      ['blog/february', 'blog/march', 'blog/x'],
    ],
    [
      'that gets another date',
      () => write('content/blog/february/en.md', post('2026-05-15')),
      ['blog/february', 'blog/may', 'blog/june'],
    ],
    [
      // The pages beside it have its tag, because they show it.
      'that is removed',
      () => rmSync(join(folder, 'content/blog/march'), { recursive: true }),
      ['blog/march'],
    ],
    [
      'that is shown by its fallback from now on',
      () => rmSync(join(folder, 'content/blog/april/es.md')),
      ['blog/march', 'blog/april', 'blog/may'],
    ],
    [
      'that is added in another language',
      () => write('content/blog/february/th.md', post('2026-05-15')),
      ['blog/february', 'blog/may', 'blog/june'],
    ],
    [
      'that is published',
      () => jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * hourMs),
      ['blog/may', 'blog/scheduled', 'blog/june'],
    ],
    ['of a collection without dates', () => write('content/pages/x/en.md', post('2026-03-15')), []],
  ])('%s', (_name, change, expected) => {
    const months = ['january', 'february', 'march', 'april', 'may', 'june']
    for (const [index, id] of months.entries())
      write(`content/blog/${id}/en.md`, post(`2026-0${index + 1}-01`))
    write('content/blog/april/es.md', post('2026-01-15'))
    write('content/blog/scheduled/en.md', post('2026-05-20', `publish: ${soon}`))
    const { generation } = compile()
    change()
    compile()
    jest.restoreAllMocks()
    const tags = db
      .prepare<[number], { tag: string }>('SELECT tag FROM changes WHERE generation > ?')
      .all(generation)
      .map(({ tag }) => tag)
    expect(tags.filter((tag) => tag.startsWith('blog/')).sort()).toEqual(expected.sort())
  })
})

describe('the check of links', () => {
  it('takes an anchor that is not encoded correctly as it is', () => {
    write('content/blog/a/en.md', article('[a](/blog/a#%E9%99%90) [b](/blog/a#%E9)\n\n## 限'))
    compile()
    expect(checkContent(db, join(folder, 'content')).map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^link \/blog\/a#%E9: no such heading there: #%E9 /),
    ])
  })
})

describe('content of another build', () => {
  beforeEach(() => {
    write('content/blog/proxies/en.md', article('Text.'))
    write('locales/en/menus.json', '{ "NAVBAR_PRICING": "Pricing" }')
    compile()
  })
  /** Marks the page, so that it is seen whether it is written again. */
  const markSearchPages = (): void => void db.prepare("UPDATE search_pages SET title = 'old'").run()
  const searchPageTitles = (): string[] =>
    db.prepare<[], string>("SELECT title FROM search_pages WHERE locale = 'en'").pluck().all()

  it.each([
    ['the compiler differs', { compiler: 'other' }, { compiled: 1, changed: true }, 'Pricing'],
    [
      'only the rules of URLs differ',
      { routes: 'other' },
      { compiled: 0, changed: true },
      'Pricing',
    ],
    ['neither differs', {}, { compiled: 0, changed: false }, 'old'],
  ])('is compiled again as far as necessary where %s', (_name, ids, report, title) => {
    markSearchPages()
    expect(createCompiler(db, sourcesWith(ids))()).toMatchObject(report)
    expect(searchPageTitles()).toEqual([title])
    if (report.changed) expect(changedTags()).toContain('redirects')
  })
})
