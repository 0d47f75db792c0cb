import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { createCompiler } from '../../../server/content/compile/compiler'
import { checkContent } from '../../../server/content/compile/check-content'
import { openForWriting } from '../../../server/content/database'
import { renameEntry } from '../../../scripts/rename-entry'
import { programSettings, root } from '../../../testing/root'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { readContentIds, seedContentFile } from '../../../testing/site'

jest.setTimeout(120_000)
const content = temporaryFolder('content')
const file = (path: string): string => join(content, path)
const read = (path: string): string => readFileSync(file(path), 'utf8')
const write = (path: string, text: string): void => {
  mkdirSync(join(file(path), '..'), { recursive: true })
  writeFileSync(file(path), text)
}
const edit = (path: string, change: (text: string) => string): void =>
  write(path, change(read(path)))
const article = (
  title: string,
  body: string,
  description = `About ${title}, in a sentence`,
): string =>
  `---\ntitle: "${title}"\ndescription: "${description}"\ndate: 2026-11-12\ncategory: proxies\n---\n\n${body}\n`

/** Replaces the folder by a copy of the starter content, or only of its English texts. */
function copyContent(texts: 'all' | 'English'): void {
  rmSync(content, { recursive: true, force: true })
  cpSync(join(root, 'content'), content, {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => texts === 'all' || !path.endsWith('.md') || path.endsWith('/en.md'),
  })
}
afterAll(() => rmSync(content, { recursive: true, force: true }))

/** All problems of the folder, as `file:line: reason`. */
function check(today?: number): string[] {
  const data = temporaryFolder('check')
  const database = join(data, 'content.db')
  seedContentFile(database)
  const db = openForWriting(database)
  const { problems } = createCompiler(db, {
    content,
    locales: join(root, 'locales'),
    public: join(root, 'public'),
    ...readContentIds(),
  })()
  const found = [...problems, ...checkContent(db, content, today)].map(
    (problem) => `${problem.file}:${problem.line}: ${problem.reason}`,
  )
  db.close()
  rmSync(data, { recursive: true, force: true })
  return found
}
const rename = (from: string, to: string): string => renameEntry(content, from, to)
const runRename = (from: string, to: string) =>
  spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/tsx/dist/cli.mjs'),
      join(root, 'scripts/content-rename.ts'),
      from,
      to,
    ],
    { encoding: 'utf8', env: { ...programSettings(), CONTENT_DIR: content } },
  )

describe('check:content', () => {
  beforeEach(() => copyContent('all'))

  it('reports nothing for the starter content', () => {
    expect(check(Date.parse('2026-11-21'))).toEqual([])
  })

  it('reports every problem that no schema can see, with its line', () => {
    write(
      'blog/faulty/en.md',
      article(
        'Faulty',
        'A [page](/no/such-page), [gone](/blog/never-was), an [anchor](/docs/proxies#nowhere), [own](#missing).\n\n![](dot.png)',
        `Long ${'word '.repeat(32)}`.trim(),
      ),
    )
    cpSync(join(root, 'docs/images/home-phone.png'), file('blog/faulty/dot.png'))
    write(
      'blog/twin/en.md',
      article(
        'Choosing a proxy type: HTTP, HTTPS or SOCKS5',
        'A [moved](/old-name) page and a [file](/favicon.svg), [docs](/docs), [guide](/guide/first-profile).',
      ),
    )
    write('blog/russian/ru.md', article('Никем не читаемая', 'Слова.'))
    write(
      'redirects.yaml',
      '- { from: /old-name, to: /pricing }\n- { from: /lost, to: /blog/never-was }\n',
    )
    edit('alternatives/gologin/en.md', (text) =>
      text.replace(
        '    ours: "3 profiles, 1 person"\n',
        '    ours: "3 profiles, 1 person"\n    theirs: { text: "Three", source: "https://example.com/plans", checked: 2026-01-05 }\n',
      ),
    )
    const found = check(Date.parse('2026-11-21'))
    for (const expected of [
      /blog\/faulty\/en\.md:8: link \/no\/such-page: no such page/,
      /blog\/faulty\/en\.md:8: link \/blog\/never-was: no such page/,
      /blog\/faulty\/en\.md:8: link \/docs\/proxies#nowhere: no such heading there/,
      /blog\/faulty\/en\.md:8: link #missing: no such heading/,
      /blog\/faulty\/en\.md:10: an image without alternative text/,
      /blog\/faulty\/en\.md:3: the description has 1\d\d letters/,
      /blog\/twin\/en\.md:2: the same title as content\/blog\/choosing-a-proxy-type\/en\.md/,
      /blog\/twin\/en\.md:8: link \/old-name: has moved to \/pricing/,
      /blog\/twin\/en\.md:8: link \/docs: is redirected/,
      /blog\/russian\/ru\.md:2: no page shows this text/,
      /redirects\.yaml:2: \/lost: leads to \/blog\/never-was, where no page is/,
      /alternatives\/gologin\/en\.md:\d+: "Free plan" was last checked on 2026-01-05, more than 180 days ago/,
    ])
      expect(found).toEqual(expect.arrayContaining([expect.stringMatching(expected)]))
    expect(found).toHaveLength(12)
  })
})

describe('content:rename', () => {
  beforeEach(() => copyContent('English'))

  it('moves an entry, updates the links to it and no others, and redirects the old address', () => {
    copyContent('all')
    write(
      'redirects.yaml',
      '# Kept by hand.\n- { from: /older, to: "/docs/automation#check" } # a note\n',
    )
    write(
      'blog/linking/en.md',
      article(
        'Linking',
        '[a](/docs/automation) [b](/docs/automation#check) [c](/docs/automation-more) [d](/helps/docs/automation)\n\n[e]: /docs/automation "Title"',
      ),
    )
    const { status, stdout } = runRename('docs/automation', 'docs/automating')
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringContaining('/docs/automation is now /docs/automating'),
    })
    expect([
      existsSync(file('docs/automation')),
      existsSync(file('docs/automating/en.md')),
    ]).toEqual([false, true])
    expect(read('blog/linking/en.md')).toContain(
      '[a](/docs/automating) [b](/docs/automating#check) [c](/docs/automation-more) [d](/helps/docs/automation)\n\n[e]: /docs/automating "Title"',
    )
    expect(read('redirects.yaml')).toBe(
      '# Kept by hand.\n- { from: /older, to: "/docs/automating#check" } # a note\n- { from: /docs/automation, to: /docs/automating }\n',
    )
    rmSync(file('blog/linking'), { recursive: true })
    const problems = check(Date.parse('2026-11-21'))
    expect(problems.filter((problem) => /docs\/automati(?:on|ng)/.test(problem))).toEqual([])
  })

  it('can rename back without a redirect loop', () => {
    copyContent('all')
    rename('blog/handing-over-accounts', 'blog/handing-over')
    rename('blog/handing-over', 'blog/handing-over-accounts')
    expect(read('redirects.yaml')).toContain(
      '{ from: /blog/handing-over, to: /blog/handing-over-accounts }',
    )
    expect(check(Date.parse('2026-11-21'))).toEqual([])
  })

  it('updates the related pages of landing pages', () => {
    rename('alternatives/multilogin', 'alternatives/multi-login')
    expect(read('alternatives/gologin/en.md')).toContain(
      'related: ["multi-login", "incogniton", "octo-browser"]',
    )
  })

  it.each([
    [['blog/never-was', 'blog/x'], 'there is no blog/never-was'],
    [['docs/proxies', 'docs/faq'], 'docs/faq already exists'],
    [['docs/proxies', 'helps/proxies'], 'stays in its collection'],
    [['docs/../../x', 'docs/y'], 'usage'],
    [['docs/proxies', 'docs/Not-An-Id'], 'is not an id'],
    [['industries/traffic', 'industries/x'], 'fixed ids'],
  ] as const)('refuses %j and changes nothing', ([from, to], reason) => {
    const before = read('redirects.yaml')
    expect(() => rename(from, to)).toThrow(reason)
    expect([read('redirects.yaml'), existsSync(file('docs/proxies/en.md'))]).toEqual([before, true])
  })

  it('refuses an address from which the redirect table leads away', () => {
    rename('docs/proxies', 'docs/proxy-settings')
    const before = read('redirects.yaml')
    expect(() => rename('docs/faq', 'docs/proxies')).toThrow('redirects.yaml redirects /docs/prox')
    expect([read('redirects.yaml'), existsSync(file('docs/faq/en.md'))]).toEqual([before, true])
  })

  it('changes nothing when the redirect table has a mistake', () => {
    const before = read('redirects.yaml')
    write('redirects.yaml', `${before}- { from: "/a\n`)
    expect(() => rename('docs/faq', 'docs/questions')).toThrow(/^redirects\.yaml: /)
    expect(existsSync(file('docs/faq/en.md'))).toBe(true)
    write('redirects.yaml', before)
  })

  it('prints the reason of a refusal, and exits with 1', () => {
    expect(runRename('blog/never-was', 'blog/x')).toMatchObject({
      status: 1,
      stderr: 'there is no blog/never-was\n',
    })
  })
})
