/** Attempts to guess the token of operators (spec 8.9): limited by address, and logged. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  eventually,
  opsToken,
  startTestSite,
  type Answer,
  type LogLine,
  type TestSite,
} from '../../../testing/site'

const limit = 3
let site: TestSite
beforeAll(async () => {
  site = await startTestSite({
    OPS_TOKEN: opsToken,
    TRUST_PROXY: '1',
    RATE_SIGNIN: String(limit),
  })
}, 60_000)
afterAll(() => site.stop())

let next = 1
/** An address that no other test uses. */
const newAddress = (): string => `198.51.100.${(next += 1)}`
const bearer = (token: string): string => `Bearer ${token}`
const basic = (token: string): string => `Basic ${Buffer.from(`a:${token}`).toString('base64')}`

const ask = (address: string, authorization?: string, path = '/_ops/cache'): Promise<Answer> =>
  site.get(path, {
    headers: { 'X-Forwarded-For': address, ...(authorization ? { authorization } : {}) },
  })
async function statuses(count: number, send: () => Promise<Answer>): Promise<number[]> {
  const seen: number[] = []
  for (let index = 0; index < count; index += 1) seen.push((await send()).status)
  return seen
}
const warnings = (): LogLine[] =>
  site.logs.filter(({ msg }) => msg === 'a wrong token of operators was refused')

describe('a wrong token', () => {
  it.each([
    ['as bearer', bearer('wrong-token-wrong-token-wrong'), '/_ops/cache'],
    ['as password', basic('wrong-token-wrong-token-wrong'), '/_ops/insights?format=csv&table=days'],
    ['at an unknown path', bearer('x'), '/_ops/nothing'],
  ])('%s is refused, and past the limit with the time to wait', async (_title, value, path) => {
    const address = newAddress()
    expect(await statuses(limit, () => ask(address, value, path))).toEqual([401, 401, 401])
    const refused = await ask(address, value, path)
    expect([refused.status, JSON.parse(refused.body)]).toEqual([
      429,
      { code: 42900, msg: expect.any(String), data: null },
    ])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('is counted by address: operators elsewhere are not affected', async () => {
    const attacker = newAddress()
    await statuses(limit + 1, () => ask(attacker, bearer('wrong')))
    expect((await ask(attacker, bearer(opsToken))).status).toBe(429)
    expect(await statuses(3 * limit, () => ask(newAddress(), bearer(opsToken)))).not.toContain(429)
  })

  it('is logged with the shortened address, and never itself', async () => {
    await statuses(2 * limit, () => ask('203.0.113.77', bearer('a-secret-of-another-service')))
    await ask('2001:db8:1:2:3:4:5:6', bearer('a-secret-of-another-service'))
    // Lines are written every 100 ms.
    await eventually(() =>
      expect(
        warnings()
          .filter(({ address }) => address !== '198.51.100.0/24')
          .map(({ level, address }) => [level, address]),
      ).toEqual([
        ...Array.from({ length: limit }, () => ['warn', '203.0.113.0/24']),
        ['warn', '2001:db8:1::/48'],
      ]),
    )
    expect(JSON.stringify(site.logs)).not.toMatch(/a-secret-of-another|203\.0\.113\.77|1:2:3:4/)
  })
})

it('the right token is not counted', async () => {
  const address = newAddress()
  expect(await statuses(3 * limit, () => ask(address, bearer(opsToken)))).not.toContain(429)
  expect((await ask(address, bearer('wrong'))).status).toBe(401)
  expect((await ask(address, bearer(opsToken))).status).toBe(200)
})

it('a request without a token is not an attempt: browsers send one before they ask for a login', async () => {
  const address = newAddress()
  expect(await statuses(3 * limit, () => ask(address))).toEqual(Array(3 * limit).fill(401))
  expect((await ask(address, bearer(opsToken))).status).toBe(200)
})
