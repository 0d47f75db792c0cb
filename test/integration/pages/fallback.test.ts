import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { locales } from '../../../shared/i18n/locales'
import { root } from '../../../testing/root'
import { temporaryFolder } from '../../../testing/release-with-tests'
import {
  eventually,
  hostNames,
  searchSite,
  startTestSite,
  type TestSite,
} from '../../../testing/site'

const content = temporaryFolder('fallback')
let site: TestSite
const write = (id: string, locale: string, title: string, body?: string): void => {
  mkdirSync(join(content, 'docs', id), { recursive: true })
  writeFileSync(
    join(content, 'docs', id, `${locale}.md`),
    `---\ntitle: "${title}"\ndescription: "A description of ${title} that is long enough"\ndate: 2026-11-01\nsection: help\norder: 90\n---\n\n${body ?? 'Text with a [link](/docs/faq).'}\n`,
  )
}

const chineseText =
  '## 打开软件\n\n配置文件 `打开` 见[链接](/docs/faq)和[上文](#打开软件)。\n\n```sh\n# 打开\n```'

beforeAll(async () => {
  cpSync(join(root, 'content'), content, { recursive: true, preserveTimestamps: true })
  write('english-only', 'en', 'English only')
  write('chinese-only', 'zh', '只有中文')
  write('converted', 'zh', '默认软件', chineseText)
  write('thai-too', 'en', 'Thai too')
  write('thai-too', 'th', 'ภาษาไทย')
  cpSync(
    join(content, 'alternatives/octo-browser/en.md'),
    join(content, 'alternatives/in-no-menu/en.md'),
  )
  rmSync(join(content, 'solutions/crypto/es.md'))
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

/** Pages keep the letters of Thai and Chinese words together with them. */
const withoutWordJoiners = (text: string): string => text.replaceAll('\u2060', '')

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

  it.each([
    ['/th/docs/english-only', 'English only', 'en-US'],
    ['/es/alternatives/in-no-menu', 'a fair test in one week', 'en-US'],
    ['/es/solutions/crypto', 'Criptomonedas', undefined],
  ])(
    'has its language in the breadcrumb unless a menu names the page: %s',
    async (path, name, lang) => {
      const { body } = await site.get(path)
      const current = /<li[^>]*aria-current="page"[^>]*>.*?<\/li>/s.exec(body)?.[0]
      expect(current).toContain(name)
      expect(current && / lang="([^"]*)"/.exec(current)?.[1]).toBe(lang)
    },
  )

  it.each([
    ['th', 'หน้านี้ยังไม่มีภาษาไทย คุณกำลังอ่านฉบับภาษาอังกฤษ'],
    ['jp', 'このページの日本語版はまだありません。英語版を表示しています。'],
    ['ko', '이 페이지는 아직 한국어로 제공되지 않아 영어 버전을 표시합니다.'],
    ['tc', '本頁尚無繁體中文版，以下為英文版。'],
    [
      'es',
      'Esta página todavía no está disponible en español. Estás leyendo la versión en inglés.',
    ],
    ['pt', 'Esta página ainda não está disponível em português. Está a ler a versão em inglês.'],
    ['fr', 'Cette page n’est pas encore disponible en français. Vous lisez la version en anglais.'],
    ['vn', 'Trang này chưa có bản tiếng Việt. Bạn đang đọc bản tiếng Anh.'],
    ['tr', 'Bu sayfanın Türkçe sürümü henüz yok. İngilizce sürümünü okuyorsunuz.'],
    ['hi', 'यह पेज अभी हिन्दी में उपलब्ध नहीं है। आप इसे अंग्रेज़ी में पढ़ रहे हैं।'],
    ['uk', 'Цієї сторінки ще немає українською. Мова тексту — англійська.'],
    ['ru', 'Этой страницы пока нет на русском. Язык текста — английский.'],
    ['zh', '本页暂无简体中文版，以下为英语版。'],
  ] as const)(
    'says so in %s with the name of the language in that language',
    async (code, text) => {
      const { body } = await site.get(
        code === 'zh' || code === 'ru' ? '/docs/english-only' : `/${code}/docs/english-only`,
        { host: hostNames[locales[code].domain] },
      )
      const notice = /data-shell="fallback-notice">.*?<span>(.*?)<\/span>/s.exec(body)?.[1] ?? ''
      expect(withoutWordJoiners(notice.replaceAll('\u00a0', ' '))).toBe(text)
    },
  )

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

  it('in Simplified Chinese is converted for Traditional Chinese, and says so', async () => {
    const { status, body: html } = await site.get('/tc/docs/converted')
    const body = withoutWordJoiners(html)
    expect(status).toBe(200)
    expect(body).toMatch(/<h1[^>]* lang="zh-Hant"[^>]*>預設軟體<\/h1>/)
    expect(body).toMatch(/<article[^>]* lang="zh-Hant"/)
    expect(body).toContain('<span>本頁尚無繁體中文版，以下內容由簡體中文自動轉換。</span>')
    expect(body).toContain('設定檔 <code>打开</code> 見<a href="/tc/docs/faq">連結</a>')
    expect(body).toMatch(/<h2 id="打开软件"[^>]*>.*開啟軟體/s)
    expect(body).toContain('# 打开')
    expect(canonical(body)).toBe(`${origin('zh')}/docs/converted`)
    expect(alternates(body)).toEqual([])
    const chinese = await site.get('/docs/converted', { host: hostNames.zh })
    expect(alternates(chinese.body).sort()).toEqual(['zh', 'zh-CN'])
    expect(chinese.body).toContain('默认软件')
  })

  it('is converted in lists, in the search and in its Markdown, but is in no sitemap', async () => {
    const list = withoutWordJoiners((await site.get('/tc/docs/faq')).body)
    expect(list).toContain('預設軟體')
    expect(list).not.toContain('預設軟體 (')
    const hit = { url: '/tc/docs/converted', title: '預設軟體' }
    const traditional = await searchSite(site, '預設軟體', 'tc')
    expect(traditional.hits[0]).toMatchObject(hit)
    expect(traditional.hits[0]?.foreign).toBeUndefined()
    expect((await searchSite(site, '默认软件', 'tc')).hits[0]).toMatchObject(hit)
    const { body, headers } = await site.get('/tc/docs/converted.md')
    expect(headers['content-language']).toBe('zh-Hant')
    expect(body).toContain('## 開啟軟體\n\n設定檔 `打开` 見[連結](')
    expect(body).toContain('```sh\n# 打开\n```')
    expect((await site.get('/zh-TW-sitemap.xml')).body).not.toContain('docs/converted')
  })

  it('is converted until there is a text, and again when that is removed', async () => {
    const title = async (): Promise<string | undefined> =>
      /<h1[^>]*>([^<]*)<\/h1>/.exec(
        withoutWordJoiners((await site.get('/tc/docs/converted')).body),
      )?.[1]
    write('converted', 'tc', '自己的標題')
    await eventually(async () => expect(await title()).toBe('自己的標題'))
    write('converted', 'zh', '默认网络', chineseText)
    rmSync(join(content, 'docs', 'converted', 'tc.md'))
    await eventually(async () => expect(await title()).toBe('預設網路'))
    write('converted', 'zh', '默认软件', chineseText)
    await eventually(async () => expect(await title()).toBe('預設軟體'))
    rmSync(join(content, 'docs', 'converted'), { recursive: true })
    await eventually(async () => expect(await title()).not.toBe('預設軟體'))
    expect((await site.get('/tc/docs/converted')).status).toBe(404)
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

  it('has its name of the menus in lists, if it is a landing page', async () => {
    const card = async (path: string): Promise<string> =>
      /<a[^>]*href="[^"]*\/solutions\/crypto".*?<\/a>/s.exec(
        (await site.get(path)).body.split('<main')[1] ?? '',
      )?.[0] ?? ''
    const [spanish, french] = [await card('/es/solutions'), await card('/fr/solutions')]
    expect(spanish).toContain('Criptomonedas')
    expect(spanish).toContain('(inglés)')
    expect(spanish).not.toContain('Treasury')
    expect(french).toContain('séparez trésorerie')
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
