import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { z } from 'zod'
import { localeCodes, locales } from '../../../shared/i18n/locales'
import { root } from '../../../testing/root'
import { searchSite, startTestSite, type TestSite } from '../../../testing/site'

const asked = z
  .record(z.enum(localeCodes), z.array(z.tuple([z.string(), z.string().startsWith('/')])).min(5))
  .parse(parse(readFileSync(join(root, 'test/fixtures/questions.yaml'), 'utf8')))

let site: TestSite
beforeAll(async () => {
  site = await startTestSite()
}, 90_000)
afterAll(() => site.stop())

describe('a question as a customer types it', () => {
  it.each(
    localeCodes.flatMap((code) =>
      asked[code].map(([question, path]) => ({ code, question, path })),
    ),
  )('$code: $question', async ({ code, question, path }) => {
    const { hits } = await searchSite(site, question, code)
    expect(hits[0]?.url).toBe(locales[code].prefix + path)
    expect(hits[0]?.foreign).toBeUndefined()
  })

  it('is answered by several pages, the best first, and not by many others', async () => {
    const question = 'why is my proxy not connecting'
    const { hits, total } = await searchSite(site, question, 'en', { limit: '100' })
    expect(hits.length).toBeGreaterThan(2)
    expect(total).toBeLessThan(40)
  })
})
