import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { apiCases } from '../../cases/api-calls'
import { calls } from '../../../server/api/calls'
import { callApi, signInForm } from '../../../testing/call-api'
import { startTestSite, type TestSite } from '../../../testing/site'
import { describeOnStores, type TestStore } from '../../../testing/stores'

const noLimits = {
  RATE_SIGNIN: '100000',
  RATE_EVENTS: '100000',
  RATE_MESSAGES: '100000',
  RATE_VISITOR: '100000',
  RATE_OTHER: '100000',
}

/** Runs every row against the site at a port. */
function runCases(port: () => number): void {
  it.each(apiCases.map((row) => [row.title, row.path.slice(0, 60), row] as const))(
    '%s: %s',
    async (
      _title,
      _path,
      { path, method, form, json, body, headers, status, caching = 'no-store', data, msg, allow },
    ) => {
      const answer = await callApi(
        port(),
        path,
        {
          ...(form && { form }),
          ...(json !== undefined && { json }),
          ...(body !== undefined && { body }),
          ...(headers && { headers }),
        },
        method,
      )
      expect([answer.status, answer.text.slice(0, 200)]).toEqual([status, expect.anything()])
      expect(answer.headers['cache-control']).toBe(caching)
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
      if (allow) expect(answer.headers.allow).toContain(allow)
      if (method === 'HEAD') return
      expect(Object.keys(JSON.parse(answer.text) as object)).toEqual(['code', 'msg', 'data'])
      expect(answer.code === 0).toBe(status === 200)
      if (status !== 200) expect(answer.data).toBeNull()
      if (data !== undefined) expect(answer.data).toEqual(data)
      if (msg) expect(answer.msg).toMatch(msg)
    },
  )
}

describeOnStores('the embedded API', (start) => {
  let store: TestStore | undefined
  let site: TestSite | undefined
  beforeAll(async () => {
    store = await start()
    site = await startTestSite({ DATABASE_URL: await store.url(), ...noLimits })
  }, 120_000)
  afterAll(async () => {
    await site?.stop()
    await store?.stop()
  })
  runCases(() => site?.port ?? 0)

  it('refuses a correct sign-in where no identity provider is set', async () => {
    const port = site?.port ?? 0
    const path = '/sys/user/passport/authorized-login'
    const { status, msg } = await callApi(port, path, { form: await signInForm(port, 'token') })
    expect([status, msg]).toEqual([403, 'Sign-in is not set up'])
  })
})

describe('the API through the proxy to a second instance', () => {
  let backend: TestSite
  let site: TestSite
  beforeAll(async () => {
    backend = await startTestSite({ SITE_URL_EN: 'http://localhost:3999', ...noLimits })
    site = await startTestSite({
      API_UPSTREAM: `http://127.0.0.1:${backend.port}/api`,
      ...noLimits,
    })
  }, 120_000)
  afterAll(async () => {
    await site.stop()
    await backend.stop()
  })
  runCases(() => site.port)
})

describe('the table of calls', () => {
  it('has one row per method and path, and a case for each', () => {
    const names = calls.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(names).size).toBe(names.length)
    const testedPaths = new Set(apiCases.map(({ path }) => path.split('?')[0]))
    expect(calls.map(({ path }) => path).filter((path) => !testedPaths.has(path))).toEqual([])
  })
})
