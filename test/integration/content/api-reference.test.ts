import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { parseOpenApi } from '../../../server/content/compile/check-openapi'
import { operationsOf } from '../../../server/content/compile/openapi-document'
import { startApiStandIn, type ApiStandIn } from '../../../testing/api-stand-in'
import { root } from '../../../testing/root'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { eventually, searchSite, startTestSite, type TestSite } from '../../../testing/site'

const run = promisify(execFile)
const token = 'token-of-a-test'
const source = readFileSync(join(root, 'content/api/openapi.yaml'), 'utf8')
const parsed = parseOpenApi(source)
if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
const document = parsed.value
const operations = operationsOf(document)
const pages = document.tags.map(({ name }) => ({
  path: `/docs/api-${name}`,
  operations: operations.filter(({ tags }) => tags.includes(name)),
}))

const content = temporaryFolder('content')
const file = join(content, 'api/openapi.yaml')
let site: TestSite
let api: ApiStandIn
beforeAll(async () => {
  for (const name of ['site.yaml', 'api', 'docs/local-api', 'docs/automation']) {
    mkdirSync(join(content, name, '..'), { recursive: true })
    cpSync(join(root, 'content', name), join(content, name), {
      recursive: true,
      preserveTimestamps: true,
    })
  }
  api = await startApiStandIn(document, token)
  site = await startTestSite({ CONTENT_DIR: content })
})
afterAll(async () => {
  await site.stop()
  await api.stop()
  rmSync(content, { recursive: true, force: true })
})
const bodyOf = async (path: string): Promise<string> => (await site.get(path)).body
const save = (text: string): void => writeFileSync(file, text)

describe('the pages of the API reference', () => {
  it.each(pages.map((page) => [page.path, page.operations] as const))(
    '%s has its operations, is in the menu, and is shown in English in Thai',
    async (path, own) => {
      const page = await site.get(path)
      expect(page.status).toBe(200)
      for (const { summary, anchor } of own) {
        expect(page.body).toContain(`id="${anchor}"`)
        expect(page.body).toContain(summary)
      }
      expect(await bodyOf('/docs/local-api')).toContain(`href="${path}"`)
      const thai = await site.get(`/th${path}`)
      expect(thai.status).toBe(200)
      expect(thai.body).toContain('data-shell="fallback-notice"')
      expect(thai.body).toContain(`id="${own[0]?.anchor}"`)
      expect(await bodyOf('/en-US-sitemap.xml')).toContain(`${path}</loc>`)
    },
  )

  it.each([
    ['move profile to trash', '/docs/api-profiles'],
    ['restorableUntil', '/docs/api-profiles'],
    ['import cookies', '/docs/api-cookies'],
    ['startsLeft', '/docs/api-client'],
  ])('a search for “%s” finds %s first', async (query, url) => {
    const { hits } = await searchSite(site, query, 'en')
    expect(hits[0]?.url).toBe(url)
  })
})

describe('/openapi.yaml', () => {
  it.each(['localhost', 'zh.localhost', 'ru.localhost'])('is the file on %s', async (host) => {
    const answer = await site.get('/openapi.yaml', { host })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/yaml; charset=utf-8')
    expect(answer.body).toBe(source)
  })

  it('is kept, compressed, and answers 304 to its ETag', async () => {
    // Answers are compressed after they are sent for the first time.
    const { headers } = await eventually(async () => {
      const answer = await site.get('/openapi.yaml', { headers: { 'accept-encoding': 'br' } })
      expect(answer.headers['content-encoding']).toBe('br')
      return answer
    })
    expect(headers['cache-status']).toBe('site; hit')
    expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate')
    const again = await site.get('/openapi.yaml', {
      headers: { 'if-none-match': headers.etag ?? '' },
    })
    expect(again.status).toBe(304)
    expect((await site.get('/openapi.yaml', { method: 'POST' })).status).toBe(405)
  })
})

describe('every sample of the reference runs against a server made from the same file', () => {
  // Each runs the samples that follow as arguments, every one in its own scope: starting Python
  // once for all takes a second instead of half a minute.
  const runners = [
    ['curl', 'bash', ['sh', '-ec', 'for code; do sh -euc "$code"; done', 'sh']],
    [
      'JavaScript',
      'js',
      [
        'node',
        '--input-type=module',
        '-e',
        'for (const code of process.argv.slice(1)) await import(`data:text/javascript,${encodeURIComponent(code)}`)',
      ],
    ],
    ['Python', 'python', ['python3', '-c', 'import sys\nfor code in sys.argv[1:]: exec(code, {})']],
  ] as const

  it.each(['curl', 'node', 'python3'])('%s is on this machine', async (program) => {
    await expect(run(program, ['--version'])).resolves.toHaveProperty('stderr')
  })

  it.each(runners)('every %s sample', async (_, fence, [program, ...args]) => {
    const markdown = await Promise.all(pages.map(({ path }) => bodyOf(`${path}.md`)))
    const fences = new RegExp(`^\`\`\`${fence}\\n(.*?)^\`\`\`$`, 'gms')
    const samples = Array.from(markdown.join('\n').matchAll(fences), ([, code = '']) =>
      code
        .replaceAll('http://127.0.0.1:35000', api.origin)
        .replaceAll('curl ', 'curl -sS --fail-with-body '),
    )
    expect(samples).toHaveLength(operations.length)
    api.asked.length = 0
    const { stdout, stderr } = await run(program, [...args, ...samples], {
      env: { PATH: process.env['PATH'] ?? '', LOCAL_API_TOKEN: token, LANG: 'C.UTF-8' },
      timeout: 30_000,
    })
    expect(stderr).toBe('')
    expect(stdout).toContain('ws://127.0.0.1:41233/devtools/browser/8f4c2a')
    expect(api.asked).toEqual(
      pages.flatMap((page) => page.operations.map(({ operationId }) => operationId)),
    )
  })

  it.each([
    ['a wrong token', '/v1/profiles', {}, 'the token is not valid'],
    ['an unknown parameter', '/v1/profiles?tags=shop', {}, 'tags: no such parameter'],
    ['a parameter of another type', '/v1/profiles?page=first', {}, 'page: Invalid input'],
    ['an unknown path', '/v1/profile', {}, 'no such operation'],
    ['a body without its fields', '/v1/folders', { method: 'POST', body: '{}' }, 'body.name:'],
  ])('that server refuses %s', async (_, path, options, reason) => {
    const answer = await fetch(api.origin + path, options)
    expect(answer.status).toBe(400)
    expect(((await answer.json()) as { msg: string }).msg).toContain(reason)
  })
})

describe('a change of the file on a running server', () => {
  it('shows a new operation, and removes the page of a tag that is gone', async () => {
    const folders = source.indexOf('\n  /folders:\n')
    const cookies = source.indexOf('\n  /profiles/{id}/cookies:\n')
    save(
      (source.slice(0, folders) + source.slice(cookies))
        .replace(/ {2}- name: folders-and-tags\n.*?(?= {2}- name: cookies)/s, '')
        .replace('summary: List profiles\n', 'summary: Show all profiles\n'),
    )
    await eventually(async () =>
      expect(await bodyOf('/docs/api-profiles')).toContain('Show all profiles'),
    )
    expect((await site.get('/docs/api-folders-and-tags')).status).toBe(404)
    expect(await bodyOf('/openapi.yaml')).toContain('summary: Show all profiles')
    save(source)
    await eventually(async () =>
      expect((await site.get('/docs/api-folders-and-tags')).status).toBe(200),
    )
  })

  it('keeps the pages and the file while it is broken, and names the line', async () => {
    save(source.replace('operationId: listProfiles', 'operationid: listProfiles'))
    const line = source.slice(0, source.indexOf('operationId: listProfiles')).split('\n').length
    const reason = `content/api/openapi.yaml:${line}: paths./profiles.get.operationid`
    await eventually(() =>
      expect(site.logs.some(({ msg }) => msg.startsWith(`problem: ${reason}`))).toBe(true),
    )
    expect(await bodyOf('/docs/api-profiles')).toContain('List profiles')
    expect(await bodyOf('/openapi.yaml')).toBe(source)
    save(source)
    await eventually(() =>
      expect(site.logs.some(({ msg }) => msg.startsWith(`problem solved: ${reason}`))).toBe(true),
    )
  })

  it('leaves out an article of an author that has the address of a page', async () => {
    mkdirSync(join(content, 'docs/api-profiles'))
    const article = readFileSync(join(content, 'docs/local-api/en.md'), 'utf8')
    writeFileSync(join(content, 'docs/api-profiles/en.md'), article)
    writeFileSync(
      join(content, 'docs/api-profiles/th.md'),
      article.replace(/title: .*/, 'title: API ภาษาไทย'),
    )
    await eventually(async () =>
      expect(await bodyOf('/th/docs/api-profiles')).toContain('API ภาษาไทย'),
    )
    expect(await bodyOf('/docs/api-profiles')).toContain('API: profiles')
    const reason = 'problem: content/docs/api-profiles/en.md:1: "api-profiles" in English is made'
    await eventually(() => expect(site.logs.some(({ msg }) => msg.startsWith(reason))).toBe(true))
    rmSync(join(content, 'docs/api-profiles'), { recursive: true })
  })

  it('removes the pages and the file when it is deleted', async () => {
    rmSync(file)
    await eventually(async () => expect((await site.get('/docs/api-profiles')).status).toBe(404))
    expect((await site.get('/openapi.yaml')).status).toBe(404)
  })
})
