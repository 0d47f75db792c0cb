import { describe, expect, it } from '@jest/globals'
import { SettingsError } from '../../../server/env'
import { createHosts, isHostHeader, namesHost } from '../../../server/url/hosts'

const unset = { SITE_URL_EN: '', SITE_URL_ZH: '', SITE_URL_RU: '', ZH_HOSTS: [], RU_HOSTS: [] }

describe('language hosts', () => {
  it('have default origins on the port of the server', () => {
    const { origins, hostNameOf } = createHosts(unset, 3100)
    expect(origins).toEqual({
      en: 'http://localhost:3100',
      zh: 'http://zh.localhost:3100',
      ru: 'http://ru.localhost:3100',
    })
    expect(['localhost', 'zh.localhost:3100', 'ru.localhost'].map(hostNameOf)).toEqual([
      'en',
      'zh',
      'ru',
    ])
  })

  it('may differ by port only: then the exact name wins, and the first host without a port', () => {
    const { hostNameOf, isKnown } = createHosts(
      {
        ...unset,
        SITE_URL_EN: 'http://site.example:8001',
        SITE_URL_ZH: 'http://site.example:8002',
        SITE_URL_RU: 'http://site.example',
        ZH_HOSTS: ['cn.example'],
        RU_HOSTS: ['ru.example'],
      },
      3000,
    )
    const asked = ['site.example:8001', 'SITE.example:8002', 'site.example', 'site.example:9000']
    expect(asked.map(hostNameOf)).toEqual(['en', 'zh', 'ru', 'ru'])
    expect(['CN.example:1', 'ru.example', 'x.example'].map(hostNameOf)).toEqual(['zh', 'ru', 'en'])
    expect(['SITE.example:8002', 'CN.example', 'CN.example:1', 'x.example'].map(isKnown)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it('is the first one for a name without a port, when all have ports', () => {
    const { hostNameOf } = createHosts(
      {
        ...unset,
        SITE_URL_ZH: 'http://site.example:8002',
        SITE_URL_RU: 'http://site.example:8003',
      },
      3000,
    )
    expect(hostNameOf('site.example')).toBe('zh')
  })

  it.each<[Partial<Parameters<typeof createHosts>[0]>, string]>([
    [
      { SITE_URL_EN: 'http://a.example', SITE_URL_ZH: 'https://a.example' },
      'SITE_URL_ZH="https://a.example" is not accepted: a host that no other language has (a.example is the en host)',
    ],
    [
      { SITE_URL_EN: 'http://zh.localhost:3000' },
      'SITE_URL_ZH="http://zh.localhost:3000" is not accepted: a host that no other language has (zh.localhost:3000 is the en host)',
    ],
    [
      { SITE_URL_EN: 'http://a.example', ZH_HOSTS: ['b.example', 'a.example'] },
      'ZH_HOSTS="b.example,a.example" is not accepted: a host that no other language has (a.example is the en host)',
    ],
    [
      { ZH_HOSTS: ['a.example'], RU_HOSTS: ['a.example'] },
      'RU_HOSTS="a.example" is not accepted: a host that no other language has (a.example is the zh host)',
    ],
  ])('are refused when two languages have the same: %j', (settings, message) => {
    expect(() => createHosts({ ...unset, ...settings }, 3000)).toThrow(new SettingsError(message))
  })

  it('may be listed twice for the same language', () => {
    const { hostNameOf } = createHosts(
      { ...unset, SITE_URL_ZH: 'http://a.example', ZH_HOSTS: ['a.example', 'a.example'] },
      3000,
    )
    expect(hostNameOf('a.example')).toBe('zh')
  })

  it('are secure by the settings, whatever the request says', () => {
    const { isSecure, isSecureFor } = createHosts(
      { ...unset, SITE_URL_ZH: 'https://cn.example' },
      3000,
    )
    expect([isSecure('en'), isSecure('zh')]).toEqual([false, true])
    expect([
      isSecureFor('cn.example:80'),
      isSecureFor('x.example'),
      isSecureFor(undefined),
    ]).toEqual([true, false, false])
  })
})

describe('a Host header', () => {
  it.each([
    ['a', true],
    ['www.example.com', true],
    ['WWW.example.com.', true],
    ['a_b-c.example:65536', true],
    ['127.0.0.1:3000', true],
    ['[::1]:3000', true],
    ['[::1]', true],
    [`${'a'.repeat(255)}`, true],
    [`${'a'.repeat(256)}`, false],
    ['', false],
    ['-a', false],
    ['a-', false],
    ['.a', false],
    ['a:', false],
    ['a:123456', false],
    ['a:80:80', false],
    ['a b', false],
    [' a', false],
    ['a/b', false],
    ['user@a', false],
    ['[]', false],
    ['[x]', false],
    ['x[::1]', false],
    ['[::1]x', false],
  ])('%j is valid: %s', (header, expected) => {
    expect(isHostHeader(header)).toBe(expected)
  })

  it.each([
    ['http://www.example.com', 'www.example.com', true],
    ['HTTP://WWW.example.com', 'www.EXAMPLE.com:80', true],
    ['http://www.example.com:', 'www.example.com', true],
    ['https://www.example.com:443', 'www.example.com', true],
    ['https://www.example.com', 'www.example.com:443', true],
    ['https://www.example.com', 'www.example.com:', true],
    ['https://www.example.com', 'www.example.com:80', false],
    ['http://www.example.com', 'www.example.com:443', false],
    ['http://www.example.com:8080', 'www.example.com', false],
    ['http://evil.example', 'www.example.com', false],
    ['http://a:80.example', 'a.example', false],
  ])('of a request for %s may be %s: %s', (origin, header, expected) => {
    expect(namesHost(origin, header)).toBe(expected)
  })
})
