import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { parse, stringify } from 'yaml'
import { localeCodes, locales } from '../../../shared/i18n/locales'
import { root } from '../../../testing/root'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { eventually, startTestSite, type TestSite } from '../../../testing/site'

/** A few articles, so that a change of facts compiles quickly. */
const content = temporaryFolder('content')
const file = (path: string): string => join(content, path)
const textOf = (path: string): string => readFileSync(file(path), 'utf8')
const legalPages = ['contact', 'privacy', 'terms'] as const

let site: TestSite
beforeAll(async () => {
  for (const name of readdirSync(join(root, 'content')))
    if (name.endsWith('.yaml') || name === 'pages' || name === 'release')
      cpSync(join(root, 'content', name), file(name), { recursive: true, preserveTimestamps: true })
  mkdirSync(file('docs/facts'), { recursive: true })
  writeFileSync(
    file('docs/facts/en.md'),
    `---
title: "Facts"
description: "Business has {{plans.business.profiles}} profiles"
section: start
order: 9
---

Solo costs {{plans.solo.price}} a month and has {{plans.solo.profiles}} profiles.

- A line about {{company.name}}
- Teams keep {{plans.team.log_days}} days.
`,
  )
  site = await startTestSite({ CONTENT_DIR: content })
}, 60_000)
afterAll(async () => {
  await site.stop()
  rmSync(content, { recursive: true, force: true })
})

const articles = (): string[] =>
  readdirSync(content, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'))

type Yaml = Record<string, unknown>
/** Replaces top-level values of a YAML file. */
const change = (path: string, values: Yaml): void =>
  writeFileSync(file(path), stringify({ ...(parse(textOf(path)) as Yaml), ...values }))

/** A page as a reader sees it: without markup, scripts and styles. */
const readable = (html: string): string =>
  html
    .replace(/<(script|style|template)\b[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/[\s\u00a0]+/g, ' ')
const pageText = async (path: string, host = 'localhost'): Promise<string> =>
  readable((await site.get(path, { host })).body)

type Graph = { '@graph': Array<Record<string, unknown> & { '@type': string }> }
async function structuredData(path: string, type: string): Promise<Record<string, unknown>> {
  const { body } = await site.get(path)
  const [, json = '{"@graph":[]}'] =
    /<script type="application\/ld\+json">(.*?)<\/script>/.exec(body) ?? []
  return (JSON.parse(json) as Graph)['@graph'].find((thing) => thing['@type'] === type) ?? {}
}

/** Path and host of a page in every language. */
const everywhere = (path: string): Array<[string, string]> =>
  localeCodes.map((code) => {
    const { prefix, domain } = locales[code]
    return [`${prefix}${path}`, domain === 'en' ? 'localhost' : `${domain}.localhost`]
  })

describe('what only the operator can say', () => {
  it.each([
    ...legalPages.map((page) => `/${page}`),
    '/',
    '/pricing',
    '/download',
    '/about-us',
    '/faq',
    '/partner-plan',
    '/pre-sales',
    '/helps',
  ])('shows nothing of it on %s, in any language, until it is set', async (path) => {
    for (const [target, host] of everywhere(path)) {
      const { body } = await site.get(target, { host })
      expect([target, /mailto:|example\.com|undefined|null@|\{\{/.exec(readable(body))]).toEqual([
        target,
        null,
      ])
      expect([target, body.includes('mailto:')]).toEqual([target, false])
    }
  })

  it('has no notes to the operator on legal pages', () => {
    for (const page of legalPages)
      for (const code of localeCodes) {
        const source = textOf(`pages/${page}/${code}.md`)
        expect([
          page,
          code,
          /\[!NOTE\]\n(?:> .*\n)*?> (?:Before this site|网站正式上线|До )/.exec(source),
        ]).toEqual([page, code, null])
        expect(source).not.toContain('example.com')
      }
  })

  it('omits it from structured data until it is set', async () => {
    const organization = await structuredData('/', 'Organization')
    expect(Object.keys(organization).sort()).toEqual([
      '@id',
      '@type',
      'contactPoint',
      'logo',
      'name',
      'url',
    ])
    expect(organization['contactPoint']).toEqual({
      '@type': 'ContactPoint',
      contactType: 'customer support',
      url: `http://localhost:${site.port}/contact`,
    })
  })

  it('labels a stand-in download as a sample file, and serves it', async () => {
    expect(await pageText('/download')).toContain('Sample file')
    expect(await pageText('/release/1.3.0')).toContain('Sample file')
    expect(await pageText('/download', 'zh.localhost')).toContain('示例文件')
  })

  it('lists in one warning at the start what must be filled in', () => {
    const warnings = site.logs.filter(({ msg }) => msg.startsWith('before going live'))
    expect(warnings.map(({ level }) => level)).toEqual(['warn'])
    for (const name of [
      'contact.email',
      'company.name',
      'company.law',
      'company.publisher',
      'sample_prices',
      '1.3.0',
    ])
      expect(warnings[0]?.msg).toContain(name)
  })

  it('is on every page that names it within a second of saving site.yaml', async () => {
    const contact = { email: 'hello@polyfacet.test', support: 'help@polyfacet.test', abuse: '' }
    const company = {
      name: 'Polyfacet Ltd',
      address: '1 Quay, Dublin',
      law: 'Irish law applies.',
      publisher: 'Polyfacet Signing',
    }
    const social = [{ name: 'Mastodon', url: 'https://social.test/@polyfacet' }]
    change('site.yaml', { contact, company, social })
    await eventually(async () => expect(await pageText('/')).toContain('Polyfacet Ltd'))
    expect(await pageText('/contact')).toContain('hello@polyfacet.test')
    expect(await pageText('/contact')).not.toContain('security problems:')
    expect(await pageText('/contact')).toContain('Polyfacet Ltd, 1 Quay, Dublin')
    expect(await pageText('/terms')).toContain('Irish law applies.')
    const about = (await site.get('/about-us')).body
    expect(about.match(/(?<=<a [^>]*href=")mailto:[^"]+/g)).toEqual([
      'mailto:hello@polyfacet.test',
      'mailto:help@polyfacet.test',
    ])
    expect(about).toMatch(
      /<footer.*<a [^>]*href="https:\/\/social\.test\/@polyfacet" rel="me noopener">Mastodon<\/a>.*<\/footer>/s,
    )
    expect(await pageText('/download')).toContain('Polyfacet Signing')
    expect(await pageText('/faq')).toContain('help@polyfacet.test')
    expect(await pageText('/docs/facts')).toContain('A line about Polyfacet Ltd')
    expect(await structuredData('/', 'Organization')).toMatchObject({
      legalName: 'Polyfacet Ltd',
      sameAs: ['https://social.test/@polyfacet'],
      address: '1 Quay, Dublin',
      contactPoint: { email: 'help@polyfacet.test' },
    })
  })
})

describe('facts of product.yaml', () => {
  it('are filled into articles by reference; a line that names an unset one is left out', async () => {
    change('site.yaml', { company: {} })
    await eventually(async () =>
      expect(await pageText('/docs/facts')).not.toContain('A line about'),
    )
    const text = await pageText('/docs/facts')
    expect(text).toContain('Solo costs $9 a month and has 30 profiles.')
    expect(text).toContain('Teams keep 30 days.')
    expect((await site.get('/docs/facts')).body).toContain('content="Business has 1,000 profiles"')
    expect((await site.get('/docs/facts.md')).body).toContain('Solo costs $9 a month')
  })

  it('are shown by the plans, the calculator and structured data', async () => {
    const text = await pageText('/pricing')
    for (const price of ['$9', '$39', '$149', 'R$799', '589zł', '3,790K₫', '$1,490'])
      expect(text).toContain(price)
    expect(await pageText('/referral-program')).toMatch(/\$78 a month for you at 20%/)
    const program = await structuredData('/pricing', 'SoftwareApplication')
    expect(program).toMatchObject({
      operatingSystem: 'Windows, macOS',
      offers: [
        { name: 'free', price: '0', priceCurrency: 'USD' },
        { name: 'solo', price: '9' },
        { name: 'team', price: '39' },
        { name: 'business', price: '149' },
      ],
    })
  })

  it('change on every page within a second of saving, and a broken file keeps the last ones', async () => {
    const before = textOf('product.yaml')
    writeFileSync(
      file('product.yaml'),
      before.replace('USD: 9,', 'USD: 11,').replace('profiles: 30\n', 'profiles: 35\n'),
    )
    await eventually(async () => expect(await pageText('/pricing')).toContain('$11'))
    expect(await pageText('/pricing')).toContain('Profiles: 35')
    expect(await pageText('/docs/facts')).toContain('Solo costs $11 a month and has 35 profiles.')
    // No other article names a plan, so no other one is compiled.
    await eventually(() =>
      expect(site.logs.findLast(({ msg }) => msg === 'content compiled')).toMatchObject({
        compiled: 1,
        unchanged: articles().length - 1,
      }),
    )
    expect((await structuredData('/', 'SoftwareApplication'))['offers']).toContainEqual(
      expect.objectContaining({ name: 'solo', price: '11' }),
    )
    writeFileSync(file('product.yaml'), before.replace('USD: 9,', 'USD: nine,'))
    await eventually(() =>
      expect(
        site.logs.some(({ msg }) =>
          /problem: content\/product\.yaml:\d+: plans\.solo\.monthly\.USD: /.test(msg),
        ),
      ).toBe(true),
    )
    expect(await pageText('/pricing')).toContain('$11')
    writeFileSync(file('product.yaml'), before)
    await eventually(async () => expect(await pageText('/pricing')).toContain('$9'))
  })

  it('may lack prices: then no page, offer or calculator shows any', async () => {
    const before = textOf('product.yaml')
    writeFileSync(file('product.yaml'), before.replaceAll(/^ {4}monthly: .*\n/gm, ''))
    await eventually(async () => expect(await pageText('/pricing')).not.toContain('$'))
    expect(await pageText('/pricing')).toContain('Profiles: 30')
    expect(await structuredData('/pricing', 'SoftwareApplication')).not.toHaveProperty('offers')
    expect(await pageText('/referral-program')).not.toContain('$')
    writeFileSync(file('product.yaml'), before)
    await eventually(async () => expect(await pageText('/pricing')).toContain('$9'))
  })

  it('are reported where an article names one that does not exist', async () => {
    const article = textOf('docs/facts/en.md')
    writeFileSync(file('docs/facts/en.md'), article.replace('solo.profiles', 'sole.profiles'))
    await eventually(() =>
      expect(site.logs.map(({ msg }) => msg)).toContain(
        'problem: content/docs/facts/en.md:8: {{plans.sole.profiles}}: there is no such fact',
      ),
    )
  })
})
