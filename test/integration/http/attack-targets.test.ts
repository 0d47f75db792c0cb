/** Thousands of hostile request targets: no file, no other site and no error of the server. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { otherSites, traversals } from '../../../testing/attack-targets'
import { fetchFrom, startTestSite, type Answer, type TestSite } from '../../../testing/site'
import { startUpstream, type TestUpstream } from '../../../testing/upstream'

let site: TestSite
let upstream: TestUpstream
beforeAll(async () => {
  upstream = await startUpstream((_request, response) => {
    response.setHeader('Content-Type', 'application/json')
    response.end('{"code":0,"msg":"ok","data":null}')
  })
  site = await startTestSite({ API_UPSTREAM: `${upstream.origin}/base` })
}, 90_000)
afterAll(async () => {
  await site.stop()
  await upstream.stop()
})

/** What no visitor may read: accounts of the machine, files of the project, metrics, stacks. */
const secret =
  /root:[^:]*:0:0:|"multi-account-browser|^# HELP |SQLite format 3|node_modules|\n +at /m

/** Why an answer is wrong; null when it is not. */
function problemOf({ status, headers, body }: Answer): string | null {
  if (status >= 500) return `status ${status}`
  if (secret.test(body)) return `reveals ${secret.exec(body)?.[0]}`
  const origins = ['localhost', 'zh.localhost', 'ru.localhost'].map(
    (host) => `http://${host}:${site.port}`,
  )
  const redirect = (/^\{"buildId":"[^"]*","redirect":\{"location":"([^"]*)"/.exec(body) ?? [])[1]
  for (const location of [headers.location, redirect]) {
    if (location === undefined) continue
    const { origin } = new URL(location, origins[0])
    if (!origins.includes(origin)) return `leads to ${location}`
  }
  return null
}

/** Asks for all targets, 16 at a time; returns those with a problem. */
async function attack(targets: readonly string[]): Promise<string[]> {
  const problems: string[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let target = targets[next++]; target !== undefined; target = targets[next++]) {
        const problem = problemOf(await fetchFrom(site.port, target))
        if (problem) problems.push(`${target}: ${problem}`)
      }
    }),
  )
  return problems
}

describe('hostile request targets', () => {
  it('that leave a folder find nothing, and reach the upstream below its path only', async () => {
    expect(traversals.length).toBeGreaterThan(3000)
    expect(await attack(traversals)).toEqual([])
    // A segment is the text between slashes of either kind: `...` is only a strange name.
    const leavesFolder = /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){2}(?:[/\\;?]|%2f|%5c|%00|$)/i
    const outside = upstream.requests
      .map(({ url }) => url)
      .filter((url) => !url.startsWith('/base/') || leavesFolder.test(url) || /\\|%5c/i.test(url))
    expect(outside).toEqual([])
  }, 60_000)

  it('that look like another site lead to none', async () => {
    expect(otherSites.length).toBeGreaterThan(1000)
    expect(await attack(otherSites)).toEqual([])
  }, 60_000)
})
