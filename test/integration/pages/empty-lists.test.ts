import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { contentWith } from '../../../testing/content-copy'
import { hostNames, startTestSite, type TestSite } from '../../../testing/site'

const content = contentWith({}, ['docs/automation'])
let site: TestSite
beforeAll(async () => {
  site = await startTestSite({ CONTENT_DIR: content })
}, 60_000)
afterAll(async () => {
  await site.stop()
  rmSync(content, { recursive: true, force: true })
})

it.each([
  ['/blog', hostNames.en, 'Nothing here yet.'],
  ['/news', hostNames.en, 'Nothing here yet.'],
  ['/partner', hostNames.en, 'Nothing here yet.'],
  ['/release', hostNames.en, 'Nothing here yet.'],
  ['/release', hostNames.ru, 'Здесь пока ничего нет.'],
])('%s of %s says that it has no entries', async (path, host, text) => {
  const { status, body } = await site.get(path, { host })
  expect([status, body.split(`>${text}</p>`).length - 1]).toEqual([200, 1])
})
