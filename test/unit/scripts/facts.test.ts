import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { checkFacts } from '../../../scripts/facts/check-facts'
import { createFactCheck } from '../../../scripts/facts/find-contradictions'
import { referralEarnings } from '../../../shared/plans'
import { collections } from '../../../shared/front-matter'
import { productSchema } from '../../../shared/product-schema'
import { planOf, product } from '../../../testing/product'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { root } from '../../../testing/root'

describe('the check of copy against product.yaml', () => {
  const check = createFactCheck(product)
  it.each<[string, string[]]>([
    ['Free has three profiles.', []],
    ['Free has five profiles.', ['"five profiles", but plans.free.profiles is 3']],
    ['Start with ten profiles.', ['"Start with ten profiles", but plans.free.profiles is 3']],
    ['Team holds 150 profiles and 5 people; Business 1,000 profiles and 20 people.', []],
    [
      'Team holds 150 profiles, Business 500 profiles.',
      ['"500 profiles", but plans.business.profiles is 1000'],
    ],
    ['Business has 25 seats.', ['"25 seats", but plans.business.people is 20']],
    ['Solo keeps the activity log for 7 days, Team for 30 days.', []],
    ['Team keeps the activity log for 90 days.', ['"90 days", but plans.team.logDays is 30']],
    ['Team trials end after 14 days.', []],
    ['Solo costs $9 a month or $90 a year.', []],
    ['Solo costs $12 a month.', ['"$12", but the price of solo is $9 or $90']],
    ['Free has neither RPA nor the local API.', []],
    ['Free includes RPA.', ['free lacks rpa in plans.free.features']],
    ['Team has no roles.', ['team has roles in plans.team.features']],
    ['Your team has 12 people.', []],
    ['The client runs on Windows and Linux.', ['the client does not run on Linux']],
    ['There is no client for Linux yet.', []],
    [
      '{{brand}} checks the proxy before every launch.',
      ['checking the proxy before a start is off until it is switched on in a profile'],
    ],
    ['{{brand}} checks the proxy before every launch if you switch that on.', []],
    [
      'You pay for profiles and people, nothing else.',
      ['plans also differ in features and in the days of the activity log'],
    ],
    ['Keep TikTok channels apart.', ['TikTok has accounts']],
    ['Are accounts never blocked?', []],
    ['Your accounts are never blocked.', ['nothing can promise that accounts are accepted']],
    ['```\nBusiness has 25 seats.\n```', []],
  ])('%s', (text, reasons) => {
    expect(check(text).map(({ reason }) => reason)).toEqual(reasons)
  })
})

it('the English copy contradicts nothing in product.yaml', () => {
  expect(checkFacts(root)).toEqual([])
})

it('a contradiction is found in texts and articles, with its file and line', () => {
  const folder = temporaryFolder('facts')
  for (const collection of collections)
    mkdirSync(join(folder, 'content', collection, 'a'), { recursive: true })
  mkdirSync(join(folder, 'locales', 'en'), { recursive: true })
  cpSync(join(root, 'content', 'product.yaml'), join(folder, 'content', 'product.yaml'))
  writeFileSync(join(folder, 'locales', 'en', 'home.json'), '{\n "a": "Free has five profiles."\n}')
  const article = '---\ntitle: Profiles\n---\n\nFirst.\n\n**Free** has [five profiles](/x).\n'
  writeFileSync(join(folder, 'content', 'blog', 'a', 'en.md'), article)
  expect(checkFacts(folder).map(({ file, line }) => `${file}:${line}`)).toEqual([
    'locales/en/home.json:2',
    'content/blog/a/en.md:7',
  ])
})

describe('product.yaml', () => {
  it.each<[string, object, string]>([
    ['a plan without texts', { plans: { huge: {} } }, 'plans'],
    ['a negative limit', { plans: { free: { ...product.plans.free, profiles: -1 } } }, 'profiles'],
    [
      'an unknown feature',
      { plans: { free: { ...product.plans.free, features: ['x'] } } },
      'features',
    ],
    [
      'a price in one currency',
      { plans: { free: { ...product.plans.free, monthly: { USD: 1 } } } },
      'monthly',
    ],
    ['an unknown field', { plan: {} }, ''],
  ])('does not take %s', (_name, value, field) => {
    const parsed = productSchema.safeParse(value)
    expect(parsed.error?.issues.map(({ path }) => path.join('.')).join()).toContain(field)
    expect(parsed.success).toBe(false)
  })

  it('gives referral earnings that are never rounded up', () => {
    const { monthly } = planOf('solo')
    expect([1, 7, 10].map((customers) => referralEarnings(customers, monthly, 'USD', 20))).toEqual([
      1, 12, 18,
    ])
  })
})
