import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { CspEvaluator } from 'csp_evaluator/dist/evaluator'
import { Severity } from 'csp_evaluator/dist/finding'
import { CspParser } from 'csp_evaluator/dist/parser'
import { hostNames, startTestSite, type Answer, type TestSite } from '../../testing/site'

/** Findings that are more severe than advice. */
const findingsOf = (policy: string): string[] =>
  new CspEvaluator(new CspParser(policy).csp)
    .evaluate()
    .filter(({ severity }) =>
      [
        Severity.HIGH,
        Severity.MEDIUM,
        Severity.HIGH_MAYBE,
        Severity.MEDIUM_MAYBE,
        Severity.SYNTAX,
      ].includes(severity),
    )
    .map(({ directive, value, description }) => `${directive} ${value ?? ''}: ${description}`)
const policyOf = ({ headers }: Answer): string => String(headers['content-security-policy'])

describe('the policy of pages', () => {
  let site: TestSite
  beforeAll(async () => {
    site = await startTestSite()
  }, 90_000)
  afterAll(() => site.stop())

  it.each([
    ['/', hostNames.en],
    ['/docs/proxies', hostNames.en],
    ['/th/pricing', hostNames.en],
    ['/', hostNames.zh],
    ['/faq', hostNames.ru],
    ['/nothing-is-here', hostNames.en],
  ])('of %s on %s has no finding in the evaluator, streamed and stored', async (path, host) => {
    const made = await site.get(path, { host })
    const stored = await site.get(path, { host })
    expect(String(stored.headers['cache-status'])).toMatch(/hit/)
    for (const answer of [made, stored]) expect(findingsOf(policyOf(answer))).toEqual([])
    expect(policyOf(stored)).toBe(policyOf(made))
  })

  it('would have findings if it were less strict', () => {
    expect(findingsOf("default-src 'self'; script-src 'self' 'unsafe-inline'")).not.toEqual([])
    expect(findingsOf("script-src 'strict-dynamic' 'sha256-abc'")).not.toEqual([])
  })
})

/**
 * The score by the guide of MDN's HTTP Observatory: 100, minus points for what is missing, plus
 * points for what exceeds the baseline.
 */
function observatoryScore({ headers, body }: Answer): { score: number; minus: string[] } {
  const minus: string[] = []
  const lost = (points: number, why: string): number => {
    minus.push(`${-points}: ${why}`)
    return -points
  }
  const text = (name: string): string => String(headers[name] ?? '')
  const directives = new Map(
    text('content-security-policy')
      .split('; ')
      .map((part) => [part.split(' ', 1)[0] ?? '', part] as const),
  )
  const unsafe = /'unsafe-(inline|eval)'|data:|\*/.test(
    `${directives.get('script-src')} ${directives.get('object-src')} ${directives.get('style-src')}`,
  )
  let score = 100
  score +=
    directives.size < 2
      ? lost(25, 'no policy')
      : unsafe
        ? lost(20, 'the policy allows too much')
        : directives.get('default-src') === "default-src 'none'"
          ? 10
          : 5
  score +=
    /max-age=(\d+)/.test(text('strict-transport-security')) &&
    Number(/max-age=(\d+)/.exec(text('strict-transport-security'))?.[1]) >= 15_768_000
      ? 0
      : lost(20, 'transport security')
  score += text('x-content-type-options') === 'nosniff' ? 0 : lost(5, 'types are guessed')
  score += /^frame-ancestors 'none'$/.test(directives.get('frame-ancestors') ?? '')
    ? 5
    : text('x-frame-options') === 'DENY'
      ? 0
      : lost(20, 'framing')
  score += [
    'no-referrer',
    'same-origin',
    'strict-origin',
    'strict-origin-when-cross-origin',
  ].includes(text('referrer-policy'))
    ? 5
    : lost(5, 'referrer')
  score += ['same-origin', 'same-site'].includes(text('cross-origin-resource-policy')) ? 10 : 0
  if (headers['access-control-allow-origin'] !== undefined)
    score += lost(50, 'readable from other sites')
  for (const cookie of [headers['set-cookie'] ?? []].flat())
    if (!/; secure/i.test(cookie)) score += lost(20, `cookie ${cookie.split('=', 1)[0]}`)
  for (const [, source = ''] of body.matchAll(/<script[^>]* src="([^"]+)"/g))
    if (/^https?:/.test(source)) score += lost(5, `script of another site ${source}`)
  return { score, minus }
}

describe('the headers of an https site', () => {
  let site: TestSite
  beforeAll(async () => {
    site = await startTestSite({
      SITE_URL_EN: 'https://www.example.com',
      SITE_URL_ZH: 'https://www.example.cn',
      SITE_URL_RU: 'https://ru.example.com',
    })
  }, 90_000)
  afterAll(() => site.stop())

  it.each(['/', '/pricing', '/docs/proxies', '/th', '/nothing-is-here'])(
    'of %s score above 100',
    async (path) => {
      for (let round = 0; round < 2; round += 1) {
        const { score, minus } = observatoryScore(await site.get(path, { host: 'www.example.com' }))
        expect(minus).toEqual([])
        expect(score).toBeGreaterThan(100)
      }
    },
  )
})
