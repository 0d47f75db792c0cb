/**
 * `npm run soak -- memory --minutes 15`: sends a mix of all requests that visitors make on 64
 * connections: cached and rendered pages, 304s, 404s, redirects, payloads, searches, event batches
 * and votes. Prints the statuses, the memory every half minute with its slope over the second half,
 * and the handles that are open after SIGTERM. Exits with 1 when a connection failed, a response
 * had status 500 or above, or a handle stayed open. The slope does not fail the run, because the
 * memory of a new process grows until its caches are full.
 */
import { parseArgs } from 'node:util'
import { temporaryFolder } from '../testing/release-with-tests'
import { seedContent } from '../testing/site'
import { steadyLoad } from '../testing/steady-load'
import { mixedRequests } from './mixed-requests'
import { countAnswers, countServerErrors, countLost } from './soak-load'
import { describeMemory, observeLoad, purgeRepeatedly, startSoakSite } from './soak-site'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '15' }, pause: { type: 'string', default: '0' } },
})
const minutes = Number(values.minutes)
const connections = 64

async function main(): Promise<void> {
  const dataDir = seedContent(temporaryFolder('soak-memory'))
  const site = await startSoakSite(dataDir)
  const { next } = await mixedRequests(site.port)
  const load = steadyLoad(site.port, connections, next, Number(values.pause))
  const endPurges = purgeRepeatedly(site)
  const series = await observeLoad(site, load.result, minutes)
  endPurges()
  const result = await load.stop()
  const failed = countServerErrors(result)
  const answers = `${countAnswers(result)} answers ${JSON.stringify(result.answers)}`
  console.log(
    `${minutes} min at ${connections} connections: ${answers}, socket errors ${JSON.stringify(result.lost)}, answers with status 500 or above: ${failed}`,
  )
  console.log(describeMemory(series))
  const { code } = await site.stop()
  const open = /"open":(\[[^\]]*\])/.exec(site.logTail())?.[1] ?? 'not logged'
  console.log(`after SIGTERM: exit code ${code}, left open ${open}`)
  if (countLost(result) > 0 || failed > 0 || code !== 0 || open !== '[]') process.exitCode = 1
  console.log(process.exitCode ? 'FAILED' : 'ok')
}

void main()
