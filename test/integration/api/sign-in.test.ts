import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { callApi, nonceOf, signInForm, type ApiAnswer } from '../../../testing/call-api'
import { startIdentityProvider, type IdentityProvider } from '../../../testing/identity-provider'
import { fetchFrom, startTestSite, type TestSite } from '../../../testing/site'
import { describeOnStores, type TestStore } from '../../../testing/stores'

const path = '/sys/user/passport/authorized-login'
const noLimits = { RATE_SIGNIN: '100000', RATE_OTHER: '100000' }
type SignInResult = { cpl: string; url: string }
let provider: IdentityProvider
beforeAll(async () => {
  provider = await startIdentityProvider()
})
afterAll(() => provider.stop())

async function signIn(
  site: TestSite,
  more: Record<string, string> = {},
  person: Parameters<IdentityProvider['token']>[1] = {},
  change: Parameters<IdentityProvider['token']>[2] = {},
): Promise<ApiAnswer> {
  return callApi(site.port, path, {
    form: await signInForm(
      site.port,
      await provider.token(await nonceOf(site.port), person, change),
      more,
    ),
  })
}
const redeem = (site: TestSite, token: string): Promise<ApiAnswer> =>
  callApi(site.port, '/sys/user/passport/redeem', { json: { token } })

describeOnStores('a sign-in', (start) => {
  let store: TestStore | undefined
  let site: TestSite
  let second: TestSite
  beforeAll(async () => {
    store = await start()
    const url = await store.url()
    // At once: one of them creates the tables and the first key.
    const both = await Promise.all([
      startTestSite({ DATABASE_URL: url, ...provider.settings, ...noLimits }),
      startTestSite({ DATABASE_URL: url, ...provider.settings, ...noLimits }),
    ])
    site = both[0]
    second = both[1]
  }, 180_000)
  afterAll(async () => {
    await Promise.all([site?.stop(), second?.stop()])
    await store?.stop()
  })

  it('issues a token that identifies the user once, with invite code and source', async () => {
    const { data } = await signIn(site)
    const { cpl, url } = data as SignInResult
    expect(cpl).toMatch(/^[\w-]{43}$/)
    expect(url).toBe(`http://localhost:${site.port}/app?cpl=${cpl}`)
    const first = await redeem(second, cpl)
    expect(first.data).toMatchObject({
      provider: 'google',
      subject: '100200300',
      email: 'ada@example.com',
      name: 'Ada Example',
      language: 'es',
      invite_code: 'abc-1',
      source: 'home',
      referer: 'https://example.org/',
    })
    expect((await redeem(site, cpl)).status).toBe(401)
    expect((await redeem(second, cpl)).status).toBe(401)
  })

  it('finds the account again and keeps its first attribution', async () => {
    const id = async (more: Record<string, string>): Promise<unknown> =>
      (await redeem(site, ((await signIn(site, more, { sub: 'again' })).data as SignInResult).cpl))
        .data
    const first = await id({ invite_code: 'first' })
    const again = await id({ invite_code: 'second' })
    expect(again).toEqual(first)
    expect(first).toMatchObject({ invite_code: 'first' })
  })

  it('redeems a token once when 100 requests reach two processes', async () => {
    const { cpl } = (await signIn(site)).data as SignInResult
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => redeem(index % 2 ? site : second, cpl)),
    )
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 99 }, () => 401),
    ])
  })

  it('accepts a nonce once, from either process', async () => {
    const token = await provider.token(await nonceOf(site.port))
    const [one, two] = await Promise.all([
      callApi(site.port, path, { form: await signInForm(site.port, token) }),
      callApi(second.port, path, { form: await signInForm(second.port, token) }),
    ])
    expect([one.status, two.status].sort((a, b) => a - b)).toEqual([200, 401])
  })

  it('uses one key in both processes', async () => {
    const [one, two] = await Promise.all([
      callApi(site.port, '/sys/config/public-key'),
      callApi(second.port, '/sys/config/public-key'),
    ])
    expect(one.data).toEqual(two.data)
  })
})

describe('a site with an identity provider', () => {
  let site: TestSite
  beforeAll(async () => {
    site = await startTestSite({ ...provider.settings, ...noLimits })
  }, 60_000)
  afterAll(() => site.stop())

  describe('an identity token', () => {
    const seconds = Math.floor(Date.now() / 1000)

    it.each([
      ['of another issuer', { iss: 'https://evil.example' }],
      ['for another client', { aud: 'other-client' }],
      ['that is too old', { exp: seconds - 3600 }],
      ['without an end', { exp: undefined }],
      ['without a verified address', { email_verified: false }],
      ['without an address', { email: undefined }],
      ['without a nonce', { nonce: undefined }],
      ['with a nonce of its own', { nonce: 'abc' }],
      ['without a subject', { sub: undefined }],
      ['not good yet', { nbf: seconds + 3600 }],
    ] as ReadonlyArray<[string, Record<string, unknown>]>)(
      '%s is refused',
      async (_name, change) => {
        const answer = await signIn(site, {}, {}, change)
        expect([answer.status, answer.msg]).toEqual([401, 'The sign-in could not be verified'])
      },
    )

    it('may have expired up to 30 s ago, because clocks differ', async () => {
      const expired = (ago: number) =>
        signIn(site, {}, {}, { exp: Math.floor(Date.now() / 1000) - ago })
      expect([(await expired(20)).status, (await expired(40)).status]).toEqual([200, 401])
    })

    it('that is forged, unsigned or truncated is refused', async () => {
      const nonce = await nonceOf(site.port)
      const good = await provider.token(nonce)
      const [, payload = ''] = good.split('.')
      const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
      for (const token of [
        await provider.forgedToken(nonce),
        none,
        good.slice(0, -2),
        'text',
        '',
        `${good}.x`,
      ]) {
        expect(
          (await callApi(site.port, path, { form: await signInForm(site.port, token) })).status,
        ).toBe(401)
      }
      // Those attempts did not use up the nonce.
      expect(
        (await callApi(site.port, path, { form: await signInForm(site.port, good) })).status,
      ).toBe(200)
    })

    it.each([
      { third_party: 'other' },
      { third_party_action_type: 'button' },
      { invite_code: 'a b' },
      { language: 'xx' },
      { source: 'x'.repeat(513) },
    ])('with the bad field %j is refused, and the field is named', async (more) => {
      const answer = await signIn(site, more)
      expect([answer.status, String(answer.msg).split(':')[0]]).toEqual([400, Object.keys(more)[0]])
    })

    it.each(['', 'a', 'a.b', 'a.b.c', '.', 'x'.repeat(600)])(
      'in the envelope "%s" is refused like any bad envelope',
      async (credential) => {
        expect((await signIn(site, { credential })).text).toBe(
          '{"code":40003,"msg":"The message could not be read","data":null}',
        )
      },
    )

    it.each(['/app/welcome?x=1', '/pricing'])(
      'may lead to %s of the application',
      async (target) => {
        const { url } = (await signIn(site, { redirect_data: target })).data as SignInResult
        expect(url.startsWith(`http://localhost:${site.port}${target}`)).toBe(true)
        expect(new URL(url).searchParams.get('cpl')).toMatch(/^[\w-]{43}$/)
      },
    )
    it.each([
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      'https://evil.example/app',
      'http://localhost.evil.example/',
      'http://user@localhost/',
      '/\t/evil.example',
      'javascript:alert(1)',
      'app',
      ' /app',
      'http://localhost:1/app',
    ])('never to %j', async (target) => {
      const answer = await signIn(site, { redirect_data: target })
      expect([answer.status, answer.msg]).toEqual([
        400,
        'redirect_data: a path or an address of the application',
      ])
    })

    it.each([
      [{ origin: 'https://evil.example' }],
      [{ origin: 'null' }],
      [{ 'sec-fetch-site': 'cross-site' }],
      [{ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }],
    ])('from another site is refused: %j', async (headers) => {
      const form = await signInForm(site.port, await provider.token(await nonceOf(site.port)))
      expect((await callApi(site.port, path, { form, headers: headers })).status).toBe(403)
    })
    it('from one of the three hosts is accepted', async () => {
      for (const origin of [`http://localhost:${site.port}`, `http://zh.localhost:${site.port}`]) {
        const form = await signInForm(site.port, await provider.token(await nonceOf(site.port)))
        expect(
          (
            await callApi(site.port, path, {
              form,
              headers: { origin, 'sec-fetch-site': 'same-origin' },
            })
          ).status,
        ).toBe(200)
      }
    })

    it('is not logged, and neither are tokens and e-mail addresses', async () => {
      const token = await provider.token(await nonceOf(site.port))
      const { data } = await callApi(site.port, path, { form: await signInForm(site.port, token) })
      await site.get(`/app?cpl=${(data as SignInResult).cpl}`)
      const log = JSON.stringify(site.logs)
      for (const secret of [(data as SignInResult).cpl, token, 'ada@example.com'])
        expect(log).not.toContain(secret)
    })
  })

  describe('the embedded application', () => {
    it('greets the signed-in user once, and escapes the name', async () => {
      const { url } = (
        await signIn(
          site,
          { language: 'en-US' },
          { sub: 'x', name: '<img src=x onerror=alert(1)>' },
        )
      ).data as SignInResult
      const target = url.slice(url.indexOf('/app'))
      expect((await site.get(target, { method: 'HEAD' })).status).toBe(200)
      const first = await site.get(target)
      expect(first.status).toBe(200)
      expect(first.body).toContain('Signed in as &lt;img src=x')
      expect(first.body).not.toContain('<img')
      expect(first.body).toContain('Referral code: abc-1')
      expect(first.headers['cache-control']).toBe('private, no-store')
      expect(first.headers['referrer-policy']).toBe('no-referrer')
      expect(first.headers['content-security-policy']).toMatch(
        /^default-src 'none'; style-src 'sha256-/,
      )
      expect(first.headers['set-cookie']).toBeUndefined()
      const again = await site.get(target)
      expect(again.status).toBe(401)
      expect(again.headers['cache-control']).toBe('private, no-store')
      expect(again.body).toContain('Please sign in again')
      expect(again.body).not.toContain('Signed in as')
    })

    it('has log-in and register pages in the language asked for', async () => {
      expect((await site.get('/app/login?rel=official_website&lang=es-ES')).body).toContain(
        '<html lang="es-ES">',
      )
      expect((await site.get('/app/register?lang=ja-JP&ref=abc')).body).toContain('紹介コード：abc')
      const empty = await site.get('/app')
      expect([empty.status, empty.body]).toEqual([
        200,
        expect.stringContaining('You are not signed in'),
      ])
      expect((await site.get('/app', { method: 'POST' })).status).toBe(405)
    })
  })
})

describe('the identity provider of npm run dev', () => {
  const token = (headers: Record<string, string>) =>
    fetchFrom(
      Number(new URL(provider.origin).port),
      `/token.js?callback=identity_x&client_id=${provider.clientId}&nonce=n`,
      { host: '127.0.0.1', headers },
    )

  it('signs in on a page of this machine', async () => {
    for (const referer of ['http://localhost:3000/', 'http://zh.localhost:3000/pricing'])
      expect(await token({ referer })).toMatchObject({
        status: 200,
        body: expect.stringMatching(/^identity_x\("ey/),
      })
  })

  it.each<[string, Record<string, string>]>([
    ['a page of another site', { referer: 'http://evil.example/' }],
    ['a page that hides where it is', {}],
    ['a name that looks like this machine', { referer: 'http://localhost.evil.example/' }],
    [
      'a name that resolves to this machine',
      { host: 'evil.example', referer: 'http://localhost/' },
    ],
  ])('does not sign in on %s', async (_name, headers) => {
    const { status, body, headers: answered } = await token(headers)
    expect([status, body, answered['access-control-allow-origin']]).toEqual([403, '', undefined])
  })
})

it('a provider that hangs causes a failure, and pages are served', async () => {
  const hung = await startIdentityProvider()
  const site = await startTestSite({ ...hung.settings, ...noLimits })
  try {
    hung.hang()
    const started = Date.now()
    const { status } = await callApi(site.port, path, {
      form: await signInForm(site.port, await hung.token(await nonceOf(site.port))),
    })
    expect([status, Date.now() - started < 6000]).toEqual([504, true])
    expect((await site.get('/pricing')).status).toBe(200)
  } finally {
    await site.stop()
    await hung.stop()
  }
}, 60_000)
