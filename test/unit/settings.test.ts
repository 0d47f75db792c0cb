import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { readSettings, settingGroups, settingsInPages, SettingsError } from '../../server/env'
import { createHosts } from '../../server/url/hosts'
import { root } from '../../testing/root'
import { envExample, withSettingTables } from '../../scripts/settings'

/** A public key as SPKI, base64 of the DER form. */
const spki = (modulusLength: number): string =>
  generateKeyPairSync('rsa', { modulusLength })
    .publicKey.export({ format: 'der', type: 'spki' })
    .toString('base64')

describe('settings', () => {
  it('have defaults for everything', () => {
    expect(readSettings({}, '/site')).toMatchObject({
      PORT: 3000,
      HOST: '0.0.0.0',
      TRUST_PROXY: 0,
      LOCALE_NEGOTIATION: 'root',
      DATA_DIR: '/site/data',
      PAGE_CACHE_TTL_MS: 3_600_000,
      CDN_TAGS: false,
      INDEXING: true,
    })
  })

  it.each([
    ['PORT', 'abc'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['SITE_URL_EN', 'www.example.com'],
    ['SITE_URL_EN', 'https://www.example.com/path'],
    ['SITE_URL_ZH', 'ftp://x.example'],
    ['LOCALE_NEGOTIATION', 'yes'],
    ['TRUST_PROXY', 'true'],
    ['CDN_TAGS', '1'],
    ['LOG_LEVEL', 'loud'],
    ['DEFAULT_CHAT_SCRIPT', 'http://x.example/a.js'],
    ['DEFAULT_CHAT_SCRIPT', 'https://x.example/a.css'],
    ['CHAT_SKIP_IP', 'localhost'],
    ['ZH_HOSTS', 'a.example:80'],
    ['DATABASE_URL', 'mysql://x'],
    ['APP_URL', '//evil.example'],
    ['RATE_EVENTS', '-1'],
    ['RATE_MISS', '1000001'],
    ['BENCH_PAGES', 'true'],
    ['OPS_TOKEN', 'x'.repeat(23)],
    ['OPS_TOKEN', 'a token of operators with spaces'],
    ['OPS_TOKEN', 'a-token-of-operators-é-ü-ö'],
    ['UPSTREAM_SIGNIN', 'none'],
    ['UPSTREAM_PUBLIC_KEY', 'bm8ga2V5'],
    ['UPSTREAM_PUBLIC_KEY', '-----BEGIN PUBLIC KEY-----'],
    ['UPSTREAM_PUBLIC_KEY', 'abc'],
    ['ID_TOKEN_ISSUER', 'accounts'],
    ['ID_TOKEN_JWKS_URL', 'certs'],
    ['API_UPSTREAM', 'https://a.example/?a'],
    ['AUTH_ORIGIN', 'https://a.example/b'],
    ['INDEXNOW_KEY', 'short'],
    ['REDIS_URL', 'http://user:secret@a.example'],
    ['AUTH_PRIVATE_KEY', 'secret'],
  ])(
    '%s=%s is refused in one line that names variable, value and what is accepted',
    (name, value) => {
      const read = () => readSettings({ [name]: value }, '/site')
      expect(read).toThrow(SettingsError)
      const isSecret = /^(AUTH_PRIVATE_KEY|DATABASE_URL|OPS_TOKEN|REDIS_URL)$/.test(name)
      expect(read).toThrow(
        `${name}=${isSecret ? '(hidden)' : JSON.stringify(value)} is not accepted: `,
      )
      // "Invalid" begins the schema library's own messages.
      expect(read).toThrow(/ is not accepted: (?!Invalid).+$/)
    },
  )

  it('take a public key of at least 2048 bits', () => {
    const read = (key: string) => readSettings({ UPSTREAM_PUBLIC_KEY: key }, '/site')
    const key = spki(2048)
    expect(read(key).UPSTREAM_PUBLIC_KEY).toBe(key)
    for (const refused of [spki(1024), ` ${key}`])
      expect(() => read(refused)).toThrow('an RSA public key of at least 2048 bits')
  })

  it('resolve relative folders and files at the project folder', () => {
    const { DATA_DIR, CONTENT_DIR, DATABASE_URL } = readSettings(
      { DATA_DIR: 'store', CONTENT_DIR: '/srv/texts', DATABASE_URL: 'file:db/own.db' },
      '/site',
    )
    expect([DATA_DIR, CONTENT_DIR, DATABASE_URL]).toEqual([
      '/site/store',
      '/srv/texts',
      'file:/site/db/own.db',
    ])
  })

  it('take hosts of pictures with a port, separated by commas', () => {
    expect(readSettings({ IMAGE_HOSTS: 'a.example, b.example:8443' }, '/site').IMAGE_HOSTS).toEqual(
      ['a.example', 'b.example:8443'],
    )
    expect(() => readSettings({ IMAGE_HOSTS: 'https://a.example' }, '/site')).toThrow(SettingsError)
  })

  it('count an empty variable as absent', () => {
    expect(readSettings({ PORT: '', SITE_URL_EN: '' }, '/site').PORT).toBe(3000)
  })

  it('never reveal the value of a secret', () => {
    expect(() => readSettings({ AUTH_PRIVATE_KEY: 'my secret' }, '/site')).toThrow(
      /^(?!.*my secret).*$/,
    )
  })

  it('are all listed in .env.example, with their defaults', () => {
    const example = readFileSync(join(root, '.env.example'), 'utf8')
    const listed = Object.fromEntries(
      Array.from(example.matchAll(/^([A-Z_]+)=(.*)$/gm), ([, name = '', value = '']) => [
        name,
        value,
      ]),
    )
    expect(Object.keys(listed).sort()).toEqual(Object.keys(readSettings({}, '/site')).sort())
    expect(readSettings(listed, '/site')).toEqual(readSettings({}, '/site'))
  })

  it('are current in .env.example and in docs/operations.md (else run "npm run settings")', () => {
    expect(readFileSync(join(root, '.env.example'), 'utf8')).toBe(envExample())
    const operations = readFileSync(join(root, 'docs', 'operations.md'), 'utf8')
    expect(operations).toBe(withSettingTables(operations))
  })

  it('all have a description, and all groups are read', () => {
    const rows = Object.values(settingGroups).flatMap((group) => Object.entries(group))
    expect(rows.filter(([, { description }]) => !description)).toEqual([])
    expect(rows.map(([name]) => name)).toEqual(Object.keys(readSettings({}, '/site')))
  })

  it('are part of the stamp of cached pages unless no page depends on them', () => {
    expect([...settingsInPages]).toEqual(expect.arrayContaining(['SITE_URL_EN', 'CDN_MAX_AGE']))
    expect([...settingsInPages]).not.toContain('OPS_TOKEN')
  })
})

describe('language hosts', () => {
  const hosts = createHosts(
    readSettings(
      {
        SITE_URL_EN: 'https://www.example.com',
        SITE_URL_ZH: 'https://cn.example.com',
        SITE_URL_RU: 'http://ru.example.com:8080',
        ZH_HOSTS: 'example.cn, www.example.cn',
      },
      '/site',
    ),
    3000,
  )
  it.each([
    ['www.example.com', 'en'],
    ['CN.example.com', 'zh'],
    ['ru.example.com:8080', 'ru'],
    ['ru.example.com', 'ru'],
    ['example.cn', 'zh'],
    ['www.example.cn:443', 'zh'],
    ['10.0.0.1', 'en'],
    ['', 'en'],
    ['cn.example.com.evil.example', 'en'],
  ])('%s is the %s host', (header, expected) => {
    expect(hosts.hostNameOf(header)).toBe(expected)
  })
  it('is https when its configured origin is', () => {
    expect([hosts.isSecure('en'), hosts.isSecure('ru')]).toEqual([true, false])
  })
})
