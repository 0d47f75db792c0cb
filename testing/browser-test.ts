/**
 * Playwright's `test` for this project: sites that share their settings are started once per worker,
 * and a test that fails shows what the sites logged while it ran.
 */
import { test as base } from '@playwright/test'
import { startedLogs, startTestSite, type TestSite } from './site'

type Settings = Readonly<Record<string, string>>
type WorkerFixtures = {
  /**
   * The running site with these settings. It is shared by all files of the worker and stopped at the
   * end: do not stop it, and do not change its content or what it stores for all visitors.
   */
  sharedSite: (settings?: Settings) => Promise<TestSite>
}

export const test = base.extend<{ siteLogs: void }, WorkerFixtures>({
  sharedSite: [
    async ({ browserName: _ }, use) => {
      const sites = new Map<string, Promise<TestSite>>()
      await use((settings = {}) => {
        const key = JSON.stringify(Object.entries(settings).sort())
        const site = sites.get(key) ?? startTestSite(settings)
        sites.set(key, site)
        return site
      })
      for (const site of sites.values()) await (await site).stop()
    },
    { scope: 'worker' },
  ],
  siteLogs: [
    async ({ browserName: _ }, use, info) => {
      const counts = new Map(startedLogs.map((logs) => [logs, logs.length]))
      await use()
      if (info.status === info.expectedStatus) return
      const lines = startedLogs
        .flatMap((logs) => logs.slice(counts.get(logs) ?? 0))
        .map((line) => JSON.stringify(line))
      await info.attach('log of the site', {
        body: lines.slice(-200).join('\n'),
        contentType: 'text/plain',
      })
    },
    { auto: true },
  ],
})
