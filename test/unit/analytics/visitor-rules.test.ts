import { describe, expect, it } from '@jest/globals'
import {
  createApiClient,
  type ApiFailure,
  type FailureReport,
} from '../../../client/platform/api-client'
import { createConsent } from '../../../client/analytics/consent'
import { createCookieJar } from '../../../client/platform/cookie-jar'
import { startAccountLinks } from '../../../client/account/account-links'
import { referralCode, registerReferral } from '../../../client/account/referral'
import { recordTrafficSource } from '../../../client/analytics/traffic-source'
import { createStore } from '../../../client/platform/store'
import { memoryStorage } from '../../../testing/memory-storage'

/** A cookie jar over a fake document, and the cookie texts that were set. */
function cookiesOf(cookie = '', protocol = 'https:') {
  const set: string[] = []
  const document = {
    location: { protocol } as Location,
    get cookie() {
      return [cookie, ...set.map((text) => text.split(';')[0])].filter(Boolean).join('; ')
    },
    set cookie(text: string) {
      set.push(text)
    },
  }
  return { cookies: createCookieJar(document, ''), set }
}

describe('cookies', () => {
  it('have the specified lifetime, path and flags', () => {
    const { cookies, set } = cookiesOf()
    cookies.set('referral', 'abc')
    cookies.set('device', 'd')
    cookies.remove('device')
    expect(set).toEqual([
      'invite_code=abc; Max-Age=604800; Path=/; SameSite=Lax; Secure',
      'device_id=d; Max-Age=31104000; Path=/; SameSite=Lax; Secure',
      'device_id=; Max-Age=0; Path=/; SameSite=Lax; Secure',
    ])
    expect(cookiesOf('', 'http:').cookies.set('consent', 'accepted')).toBeUndefined()
  })
  it('are matched by the whole name and decoded; a malformed one counts as absent', () => {
    expect(cookiesOf('xinvite_code=no; invite_code=a%2Db').cookies.get('referral')).toBe('a-b')
    expect(cookiesOf('invite_code=%E0%A4').cookies.get('referral')).toBeNull()
    expect(cookiesOf('invite_code=').cookies.get('referral')).toBeNull()
  })
})

describe('the API client', () => {
  const client = (answers: ReadonlyArray<Response | Error>) => {
    const requests: string[] = []
    const failures: FailureReport[] = []
    let turn = 0
    const api = createApiClient({
      base: 'http://site.test/page?x=1',
      credentials: 'same-origin',
      report: (failure) => failures.push(failure),
      fetch: ((url: URL, init?: RequestInit) => {
        requests.push(`${init?.method ?? 'GET'} ${url.href}`)
        const answer = answers[turn++]
        return answer instanceof Response
          ? Promise.resolve(answer)
          : Promise.reject(answer ?? new Error('no answer left'))
      }) as typeof fetch,
    })
    return { api, requests, failures }
  }
  const json = (status: number, body: unknown, headers = {}): Response =>
    new Response(JSON.stringify(body), { status, headers })

  it('returns the data of a successful answer', async () => {
    const { api, requests } = client([json(200, { code: 0, msg: 'ok', data: { a: 1 } })])
    expect(await api.get('/api/x', { q: 'a b' })).toEqual({ a: 1 })
    expect(requests).toEqual(['GET http://site.test/api/x?q=a+b'])
  })
  it.each([408, 409, 425, 429, 500, 502, 503, 504])('repeats GET once after %i', async (status) => {
    const { api, requests } = client([
      json(status, { code: 1, msg: '' }),
      json(200, { code: 0, data: 2 }),
    ])
    expect(await api.get('/api/x')).toBe(2)
    expect(requests).toHaveLength(2)
  })
  it('repeats GET once when no answer came', async () => {
    const { api, requests, failures } = client([
      new Error('gone'),
      new Error('gone'),
      json(200, { code: 0 }),
    ])
    await expect(api.get('/api/x?secret=1')).rejects.toMatchObject({
      trigger: 'req error',
      status: 0,
    })
    expect(requests).toHaveLength(2)
    expect(failures).toEqual([{ trigger: 'req error', path: '/api/x', message: 'Error: gone' }])
  })
  it('never repeats a POST', async () => {
    const { api, requests } = client([
      json(503, { code: 503, msg: 'later' }, { 'Retry-After': '7' }),
    ])
    await expect(api.postForm('/api/x', { a: '1' })).rejects.toMatchObject({
      trigger: 'res error',
      status: 503,
      retryAfterSeconds: 7,
    })
    expect(requests).toHaveLength(1)
  })
  it.each([
    ['a non-zero code', json(200, { code: 7, msg: 'no' }), 'res error'],
    ['no body', new Response('', { status: 200 }), 'useFetch error'],
    ['a body that is not JSON', new Response('<html>', { status: 200 }), 'useFetch error'],
  ] as const)('treats %s as a failure', async (_, answer, trigger) => {
    const { api, failures } = client([answer])
    const failure = await api.postJson('/api/x', {}).catch((error: unknown) => error as ApiFailure)
    expect(failure).toMatchObject({ trigger })
    expect(failures).toHaveLength(1)
  })
  it('calls http and https addresses only', async () => {
    const { api, requests } = client([])
    await expect(api.get('ftp://site.test/x')).rejects.toMatchObject({ trigger: 'req error' })
    expect(requests).toEqual([])
  })
})

describe('consent', () => {
  const make = (options: { cookie?: string; gpc?: boolean; countries?: string[] } = {}) =>
    createConsent({
      cookies: cookiesOf(options.cookie).cookies,
      privacyControl: options.gpc ?? false,
      countries: options.countries ?? ['DE', 'FR'],
    })
  it.each([
    ['nothing is decided before the country is known', {}, null, null, false],
    ['a visitor from a listed country is asked and not measured meanwhile', {}, 'DE', false, true],
    ['a visitor from another country is not asked', {}, 'US', true, false],
    ['a visitor from an unknown country is asked', {}, '', false, true],
    ['acceptance is stored', { cookie: 'consent=accepted' }, 'DE', true, false],
    ['a refusal counts in every country', { cookie: 'consent=refused' }, 'US', false, false],
    ["the browser's signal counts as a refusal", { gpc: true }, 'DE', false, false],
    [
      "the visitor's choice overrides the signal",
      { gpc: true, cookie: 'consent=accepted' },
      'DE',
      true,
      false,
    ],
    ['without configured countries visitors are not asked', { countries: [] }, null, true, false],
    ['nor are visitors from an unknown country then', { countries: [] }, '', true, false],
  ] as const)('%s', (_, options, country, allowed, asking) => {
    const consent = make(options as never)
    if (country !== null) consent.setCountry(country)
    expect([consent.allowed.get(), consent.bannerVisible.get()]).toEqual([allowed, asking])
  })
  it('can be changed later', () => {
    const consent = make()
    consent.setCountry('DE')
    consent.decide('accepted')
    expect([consent.allowed.get(), consent.bannerVisible.get()]).toEqual([true, false])
    consent.showBanner()
    consent.decide('refused')
    expect(consent.allowed.get()).toBe(false)
  })
  it('stays refused on a page whose cookies are blocked', () => {
    const cookies = { get: () => null, set: () => undefined, remove: () => undefined }
    const consent = createConsent({ cookies, privacyControl: false, countries: [] })
    consent.decide('refused')
    consent.refresh()
    expect(consent.allowed.get()).toBe(false)
  })
})

describe('the referral code', () => {
  const storage = memoryStorage()
  storage.set('invite_code', 'stored')
  it.each([
    ['?ref=a&code=b', 'invite_code=c', 'a'],
    ['?ref=%20&code=b', 'invite_code=c', 'b'],
    ['?x=1', 'invite_code=c', 'c'],
    ['', 'invite_code=c%20d', 'stored'],
    [`?ref=${'x'.repeat(65)}`, '', 'stored'],
    ['?ref=<script>', '', 'stored'],
  ])('of %s with %s is %s', (search, cookie, code) =>
    expect(referralCode({ search, cookies: cookiesOf(cookie).cookies, storage })).toBe(code),
  )

  it('is stored for 7 days and sent once', async () => {
    const memory = memoryStorage()
    const { cookies, set } = cookiesOf()
    const sent: unknown[] = []
    const api = {
      get: (path: string, parameters?: unknown) => Promise.resolve(sent.push([path, parameters])),
    }
    for (let visit = 0; visit < 3; visit += 1)
      await registerReferral({ search: '?ref=abc', cookies, storage: memory, api })
    expect(sent).toEqual([['/api/sys/config/ref/set', { c_v: 'abc' }]])
    expect(set).toHaveLength(1)
  })
  it('is sent again after a failure', async () => {
    const memory = memoryStorage()
    let calls = 0
    const api = {
      get: () => ((calls += 1) === 1 ? Promise.reject(new Error('away')) : Promise.resolve(null)),
    }
    for (let visit = 0; visit < 3; visit += 1)
      await registerReferral({
        search: '?code=abc',
        cookies: cookiesOf().cookies,
        storage: memory,
        api,
      })
    expect(calls).toBe(2)
  })
})

describe('a register link that is used on several pages', () => {
  class FakeLink extends URL {
    readonly dataset = { action: 'register' }
    closest = () => this
  }
  it('gets the page on the screen and its referral code, and keeps what was rendered', () => {
    Object.assign(globalThis, { Element: FakeLink })
    const document = new EventTarget()
    const location = { href: '' }
    let code: string | null = null
    startAccountLinks({
      // A fake of the members that are used.
      document: document as unknown as Document,
      location,
      referralCode: () => code,
      origins: [],
    })
    const link = new FakeLink('https://app.test/register?lang=en-US')
    const use = (page: string): Record<string, string> => {
      location.href = page
      for (const type of ['focusin', 'pointerdown', 'click'])
        document.dispatchEvent(Object.defineProperty(new Event(type), 'target', { value: link }))
      return Object.fromEntries(link.searchParams)
    }
    const [first, second] = ['https://site.test/faq', 'https://site.test/pricing']
    expect(use(first)).toEqual({ lang: 'en-US', from: first })
    code = 'friend'
    expect(use(second)).toEqual({ lang: 'en-US', from: second, ref: 'friend' })
    link.href = 'https://app.test/register?from=banner'
    expect(use(first)).toEqual({ from: 'banner', ref: 'friend' })
  })
})

describe('the traffic source', () => {
  const run = async (
    href: string,
    referrer: string,
    cookie = '',
    allowed: boolean | null = true,
  ) => {
    const { cookies, set } = cookiesOf(cookie)
    const sent: Array<Readonly<Record<string, string>>> = []
    const url = new URL(href)
    const sessionStorage = memoryStorage()
    const deps = {
      location: url as unknown as Location,
      referrer,
      origins: ['https://site.test', 'https://zh.site.test'],
      cookies,
      sessionStorage,
      consent: { allowed: createStore(allowed) },
      api: {
        postForm: (_: string, fields: Readonly<Record<string, string>>) =>
          Promise.resolve(sent.push(fields)),
      },
    }
    const recorded = recordTrafficSource(deps).then(() => recordTrafficSource(deps))
    // Without permission it stays pending.
    if (allowed) await recorded
    return { sent, set, url, allow: () => (deps.consent.allowed.set(true), recorded) }
  }
  it('is recorded once per landing, with nine fields', async () => {
    const { sent, set } = await run(
      'https://site.test/pricing?utm_source=news&utm_campaign=a&bd_vid=7&cpl=secret#top',
      'https://search.test/q?token=1',
    )
    expect(sent).toHaveLength(1)
    expect(sent[0]?.['referer']).toBe('https://search.test/q')
    const source = JSON.parse(sent[0]?.['source_data'] ?? '') as Record<string, string>
    expect(Object.keys(source).sort()).toEqual([
      'bd_vid',
      'callback',
      'page_url',
      'source',
      'utm_campaign',
      'utm_content',
      'utm_medium',
      'utm_source',
      'utm_term',
    ])
    expect(source).toMatchObject({
      page_url: 'https://site.test/pricing?utm_source=news&utm_campaign=a&bd_vid=7',
      source: 'news',
      bd_vid: '7',
    })
    expect(set).toHaveLength(1)
  })
  it.each([null, false])('waits with its cookie until measuring is allowed: %j', async (answer) => {
    const { sent, set, allow } = await run('https://site.test/', 'https://a.test/', '', answer)
    await new Promise((resolve) => setImmediate(resolve))
    expect([sent, set]).toEqual([[], []])
    await allow()
    expect([sent.length, set.length]).toEqual([1, 1])
  })
  it('is that of the landing when measuring is allowed on a later page', async () => {
    const landing = 'https://site.test/?utm_source=spring'
    const { sent, url, allow } = await run(landing, '', '', null)
    url.href = 'https://site.test/pricing'
    await allow()
    expect(JSON.parse(sent[0]?.['source_data'] ?? '')).toMatchObject({
      page_url: landing,
      source: 'spring',
      utm_source: 'spring',
    })
  })
  it('removes the device that the answer sets when the visitor has refused meanwhile', async () => {
    const { cookies, set } = cookiesOf()
    const allowed = createStore<boolean | null>(true)
    const answerAfterRefusal = (): void => {
      allowed.set(false)
      cookies.set('device', 'd')
    }
    await recordTrafficSource({
      location: new URL('https://site.test/'),
      referrer: '',
      origins: [],
      cookies,
      sessionStorage: memoryStorage(),
      consent: { allowed },
      api: { postForm: () => Promise.resolve().then(answerAfterRefusal) },
    })
    expect(set.map((cookie) => cookie.split(';')[0])).toEqual(['device_id=d', 'device_id='])
  })
  it('is not recorded when the visitor comes from one of the three hosts', async () =>
    expect((await run('https://site.test/', 'https://zh.site.test/x')).sent).toEqual([]))
  it('keeps the first referrer', async () =>
    expect(
      (
        await run(
          'https://site.test/',
          'https://other.test/',
          '_POWER_REFERRER=https%3A%2F%2Ffirst.test%2F',
        )
      ).set,
    ).toEqual([]))
  it('truncates fields to 512 characters', async () => {
    const { sent } = await run(`https://site.test/?utm_term=${'x'.repeat(2000)}`, '')
    expect(
      (JSON.parse(sent[0]?.['source_data'] ?? '') as Record<string, string>)['utm_term'],
    ).toHaveLength(512)
  })
})
