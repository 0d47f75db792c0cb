import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { root } from '../../testing/root'
import { hostNames, startTestSite, temporaryFolder, type TestSite } from '../../testing/site'

const content = temporaryFolder('fallback')
let site: TestSite
const write = (id: string, locale: string, title: string): void => {
  mkdirSync(join(content, 'docs', id), { recursive: true })
  writeFileSync(
    join(content, 'docs', id, `${locale}.md`),
    `---\ntitle: "${title}"\ndescription: "A description of ${title} that is long enough"\ndate: 2026-11-01\nsection: help\norder: 90\n---\n\nText with a [link](/docs/faq).\n`,
  )
}

beforeAll(async () => {
  cpSync(join(root, 'content'), content, { recursive: true })
  write('english-only', 'en', 'English only')
  write('chinese-only', 'zh', '只有中文')
  write('thai-too', 'en', 'Thai too')
  write('thai-too', 'th', 'ภาษาไทย')
  site = await startTestSite({ CONTENT_DIR: content })
}, 60_000)
afterAll(async () => {
  await site.stop()
  rmSync(content, { recursive: true, force: true })
})

const origin = (name: keyof typeof hostNames): string => `http://${hostNames[name]}:${site.port}`
const canonical = (html: string): string | undefined =>
  /<link rel="canonical" href="([^"]+)">/.exec(html)?.[1]
const alternates = (html: string): string[] =>
  Array.from(html.matchAll(/<link rel="alternate" hreflang="([^"]+)"/g), ([, tag = '']) => tag)

describe('a text that is not translated', () => {
  it('is served in its source language, marked, with the canonical URL of that language', async () => {
    const { status, body, headers } = await site.get('/th/docs/english-only')
    expect(status).toBe(200)
    expect(headers['content-language']).toBe('th-TH')
    expect(body).toContain('<html lang="th-TH"')
    expect(body).toContain('data-shell="fallback-notice"')
    expect(body).toMatch(/<article[^>]* lang="en-US"|<div[^>]* lang="en-US"/)
    expect(canonical(body)).toBe(`${origin('en')}/docs/english-only`)
    expect(alternates(body)).toEqual([])
    expect(body).toContain('href="/th/docs/faq"')
  })

  it('falls back from traditional to simplified Chinese, and from Chinese to English', async () => {
    const taiwan = await site.get('/tc/docs/chinese-only')
    expect(taiwan.body).toContain('只有中文')
    expect(canonical(taiwan.body)).toBe(`${origin('zh')}/docs/chinese-only`)
    const chinese = await site.get('/docs/english-only', { host: hostNames.zh })
    expect([chinese.status, canonical(chinese.body)]).toEqual([
      200,
      `${origin('en')}/docs/english-only`,
    ])
  })

  it('is 404 where no fallback has it', async () => {
    for (const path of ['/docs/chinese-only', '/th/docs/chinese-only', '/es/docs/chinese-only'])
      expect((await site.get(path)).status).toBe(404)
  })

  it('is marked in lists that link to it', async () => {
    const { body } = await site.get('/th/docs/faq')
    expect(body).toContain('English only (English)')
    expect(body).not.toMatch(/ภาษาไทย[^<]*\(English\)/)
  })
})

describe('a text that is translated into some languages', () => {
  it('has hreflang for those languages only', async () => {
    const { body } = await site.get('/docs/thai-too')
    expect(alternates(body).sort()).toEqual(['en', 'en-US', 'th', 'th-TH', 'x-default'])
    const thai = await site.get('/th/docs/thai-too')
    expect(alternates(thai.body).sort()).toEqual(['en', 'en-US', 'th', 'th-TH', 'x-default'])
    expect(canonical(thai.body)).toBe(`${origin('en')}/th/docs/thai-too`)
    expect(thai.body).not.toContain('data-shell="fallback-notice"')
  })

  it('has no x-default without an English text', async () => {
    expect(
      alternates((await site.get('/docs/chinese-only', { host: hostNames.zh })).body).sort(),
    ).toEqual(['zh', 'zh-CN'])
  })

  it('is in the language menu in every language', async () => {
    const { body } = await site.get('/docs/chinese-only', { host: hostNames.zh })
    expect(body).toContain(`href="${origin('en')}/tc/docs/chinese-only"`)
    expect(body).toContain(`href="${origin('en')}/es"`)
    expect(body).not.toContain(`href="${origin('en')}/es/docs/chinese-only"`)
  })
})

describe('a page of the interface', () => {
  it('has hreflang for all fourteen languages, with and without region, and the default', async () => {
    const tags = alternates((await site.get('/pricing')).body)
    expect(tags.length).toBe(14 * 2 + 1)
    expect(tags).toEqual(
      expect.arrayContaining(['pt-PT', 'pt', 'zh-TW', 'zh-Hant', 'vi', 'ja', 'x-default']),
    )
    for (const [path, host] of [
      ['/use-cases', hostNames.ru],
      ['/solutions', hostNames.en],
      ['/vn/use-cases', hostNames.en],
    ] as const) {
      expect(alternates((await site.get(path, { host })).body).length).toBe(29)
    }
    expect(alternates((await site.get('/blog')).body).length).toBe(13 * 2 + 1)
  })
})
