/**
 * `npm run soak -- memory --minutes 15`: everything that visitors ask for, mixed, on 64 connections: pages from
 * the cache and made anew, 304s, 404s, redirects, payloads, searches, event batches, votes. Prints what came
 * back, memory every half minute with its slope over the second half, and what is left open after SIGTERM.
 * Exits with 1 when a connection failed, anything answered 500 or more, or something was left open. The slope
 * is for the reader to judge: memory of a young process grows until its caches are full.
 */
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { seedContent, temporaryFolder } from '../testing/site'
import { steadyLoad } from '../testing/steady-load'
import { mixedRequests } from './mixed-requests'
import { answered, failedOf, lostOf } from './soak-load'
import { describeMemory, observeLoad, purgeRepeatedly, startSoakSite } from './soak-site'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '15' }, pause: { type: 'string', default: '0' } },
})
const minutes = Number(values.minutes)
const connections = 64

async function main(): Promise<void> {
  const dataDir = seedContent(temporaryFolder('soak-memory'))
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }))
  const site = await startSoakSite(dataDir)
  const { next } = await mixedRequests(site.port)
  const load = steadyLoad(site.port, connections, next, Number(values.pause))
  const endPurges = purgeRepeatedly(site)
  const series = await observeLoad(site, load.result, minutes)
  endPurges()
  const result = await load.stop()
  const failed = failedOf(result)
  const answers = `${answered(result)} answers ${JSON.stringify(result.answers)}`
  console.log(
    `${minutes} min at ${connections} connections: ${answers}, socket errors ${JSON.stringify(result.lost)}, answers of 500 and more: ${failed}`,
  )
  console.log(describeMemory(series))
  const { code } = await site.stop()
  const open = /"open":(\[[^\]]*\])/.exec(site.logTail())?.[1] ?? 'not said'
  console.log(`after SIGTERM: exit code ${code}, left open ${open}`)
  if (lostOf(result) > 0 || failed > 0 || code !== 0 || open !== '[]') process.exitCode = 1
  console.log(process.exitCode ? 'FAILED' : 'ok')
}

void main()
