import { describe, expect, it } from '@jest/globals'
import { limits } from '../../../shared/constants'
import { isLocaleCode } from '../../../shared/i18n/locales'
import { decideUrl, isNegotiated } from '../../../server/url/decide-url'
import { splitTarget } from '../../../server/url/decode-path'
import {
  localeFromParam,
  preferredLocale,
  type VisitorHeaders,
} from '../../../server/url/negotiate-locale'
import { createRedirectTable, type RedirectRow } from '../../../server/url/redirect-table'
import type { UrlContext } from '../../../server/url/url-context'
import { negotiationCases } from '../../cases/negotiation'

const origins = {
  en: 'https://www.example.com',
  zh: 'https://cn.example.com',
  ru: 'https://ru.example.com',
} as const
const row = (from: string, to: string, line: number): RedirectRow => ({
  from,
  to,
  status: 301,
  locales: null,
  line,
})
const context: UrlContext = {
  origins,
  redirects: createRedirectTable([
    row('/th/download', '/th/faq', 1),
    row('/th/links', 'https://partner.example/', 2),
    row('/moved', '/pricing', 3),
    row('/away', 'https://partner.example/pricing', 4),
    row('/moved-url', `${origins.en}/pricing`, 5),
  ]),
  firstDoc: () => null,
  isSolution: () => false,
  preSales: true,
}

function visitorWith(headers: Record<string, string>, method = 'GET'): VisitorHeaders {
  const named = /i18n_redirected=([^;]*)/.exec(headers['cookie'] ?? '')?.[1]
  return {
    method,
    acceptLanguage: headers['accept-language'],
    hasCookies: headers['cookie'] !== undefined,
    cookieLocale: isLocaleCode(named) ? named : null,
    fetchSite: headers['sec-fetch-site'],
    referer: headers['referer']?.replace('ORIGIN_ZH', origins.zh),
    userAgent: headers['user-agent'],
  }
}
const ask = (
  target: string,
  visitor: VisitorHeaders,
  mode: 'off' | 'root' | 'unprefixed',
  host: 'en' | 'zh' | 'ru' = 'en',
) => decideUrl({ host, ...splitTarget(target) }, visitor, mode, context)
const longest = '/pricing?'.padEnd(limits.maxTargetBytes, 'a')
const thai = visitorWith({ 'accept-language': 'th' })

describe('negotiation of the language on entry', () => {
  it.each(negotiationCases.map((one) => [one.name, one] as const))(
    '%s',
    (_name, { headers, path = '/', method, expected }) => {
      const { decision } = ask(path, visitorWith(headers, method), 'root')
      if (expected === 'stay') return void expect(decision.kind).toBe('page')
      const [host, ...rest] = expected.split(':')
      expect(decision).toMatchObject({
        kind: 'locale-redirect',
        location: origins[host as keyof typeof origins] + rest.join(':'),
      })
    },
  )

  it.each([
    ['a page', '/pricing', '/th/pricing'],
    ['the target of a redirect', '/Moved/?a=1', '/th/pricing?a=1'],
    ['the target of a redirect to a URL of the site', '/moved-url', '/th/pricing'],
    ['the page that replaces it', '/download', '/th/faq'],
    ['a page that the language has at another path', '/use-cases', '/th/solutions'],
  ])('with LOCALE_NEGOTIATION=unprefixed leads to %s', (_name, target, expected) => {
    expect(ask(target, thai, 'unprefixed')).toMatchObject({
      decision: { kind: 'locale-redirect', locale: 'th', location: origins.en + expected },
      varies: true,
    })
  })

  it('names all rules that led to the page', () => {
    expect(ask('/', thai, 'root').decision).toMatchObject({
      appliedRules: ['language of the visitor'],
    })
    expect(ask('/index.html', thai, 'root').decision).toMatchObject({
      appliedRules: ['index.html', 'language of the visitor'],
    })
  })

  it.each([
    ['of the language host', '/', 'zh', 'unprefixed', 'page', false],
    ['of a prefixed language', '/es/pricing', 'en', 'unprefixed', 'page', false],
    ['that is unknown', '/unknown/page', 'en', 'unprefixed', 'page', false],
    ['that is a bad path', '/%zz', 'en', 'unprefixed', 'bad', false],
    ['that leads to another host', '/zh/pricing', 'en', 'unprefixed', 'redirect', false],
    ['that leads to another site', '/away', 'en', 'unprefixed', 'redirect', false],
    ['other than the home page', '/pricing', 'en', 'root', 'page', false],
    ['without negotiation', '/', 'en', 'off', 'page', false],
    // The answer still depends on the visitor, who may ask for another language.
    ['that leads away in the language', '/links', 'en', 'unprefixed', 'page', true],
    ['that would be too long in the language', longest, 'en', 'unprefixed', 'page', true],
  ] as const)('leaves a URL %s alone: %s', (_name, target, host, mode, kind, varies) => {
    const decided = ask(target, thai, mode, host)
    expect([decided.decision.kind, decided.varies]).toEqual([kind, varies])
  })

  it('does not send visitors to a language that lacks the page', () => {
    const taiwan = visitorWith({ 'accept-language': 'zh-TW' })
    expect(ask('/alternatives/undetectable', taiwan, 'unprefixed')).toMatchObject({
      decision: { kind: 'page', path: '/alternatives/undetectable' },
      varies: true,
    })
    const vietnamese = visitorWith({ 'accept-language': 'vi' })
    expect(ask('/solutions', vietnamese, 'unprefixed').decision).toMatchObject({
      location: `${origins.en}/vn/use-cases`,
    })
  })

  it('concerns only pages of English at the en host', () => {
    const home = { host: 'en', locale: 'en', path: '/' } as const
    const pricing = { ...home, path: '/pricing' }
    expect([isNegotiated('root', home), isNegotiated('unprefixed', pricing)]).toEqual([true, true])
    expect([
      isNegotiated('off', home),
      isNegotiated('root', pricing),
      isNegotiated('unprefixed', { ...home, locale: 'es' }),
      isNegotiated('unprefixed', { ...home, host: 'zh' }),
    ]).toEqual([false, false, false, false])
  })
})

describe('the language of a header or parameter', () => {
  it.each([
    [undefined, null],
    ['', null],
    ['sv, fi;q=0.5', null],
    ['sv, ko;q=0.5, fr;q=0.9', 'fr'],
    [`${'sv-SE,'.repeat(165)}th,fr`, 'th'],
    [`${'sv-SE,'.repeat(167)}th`, null],
  ])('%s prefers %s', (header, expected) => {
    expect(preferredLocale(header)).toBe(expected)
  })

  it.each([
    ['vi', 'vn'],
    ['VN', 'vn'],
    ['ZH-TW', 'tc'],
    ['zh-Hant', 'tc'],
    ['pt-BR', 'pt'],
    ['it-IT', 'en'],
    ['ID', 'en'],
    ['ita', null],
    ['x-it', null],
    ['', null],
  ])('the parameter %s means %s', (value, expected) => {
    expect(localeFromParam(value)).toBe(expected)
  })
})
