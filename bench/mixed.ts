/**
 * `npm run soak -- mixed --minutes 10 [--node PATH]`: sends the requests of `memory`, edits
 * articles and requests new pictures while every process and worker thread of the site collects its
 * garbage once a second. This shows that a version of Node does not abort. Exits with 1 when
 * anything failed.
 */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { temporaryFolder } from '../testing/release-with-tests'
import { steadyLoad, type LoadResult } from '../testing/steady-load'
import { copyContent, editRepeatedly, type EditResult } from './content-edits'
import { forceCollections, type ForcedCollections } from './forced-collections'
import { mixedRequests, type Acknowledged } from './mixed-requests'
import { requestPictures, type PictureResult } from './picture-requests'
import { countAnswers, countServerErrors, countLost } from './soak-load'
import {
  describeMemory,
  observeLoad,
  purgeRepeatedly,
  startSoakSite,
  type Ended,
  type MemorySeries,
  type SoakSite,
} from './soak-site'
import { integrityOf, storedWrites, type StoredWrites } from './stored-data'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    pause: { type: 'string', default: '0' },
    node: { type: 'string', default: process.execPath },
  },
})
const minutes = Number(values.minutes)
const connections = 64
const shownProblems = 10

type Observed = {
  load: LoadResult
  edits: EditResult
  pictures: PictureResult
  memory: MemorySeries
  acknowledged: Acknowledged
  ended: Ended
}
type OnDisk = {
  collections: ForcedCollections
  integrity: Record<string, string>
  stored: StoredWrites
}

async function observe(site: SoakSite, content: string): Promise<Observed> {
  const { next, acknowledged } = await mixedRequests(site.port)
  const load = steadyLoad(site.port, connections, next, Number(values.pause))
  const endPurges = purgeRepeatedly(site)
  const edits = editRepeatedly(site.port, content)
  const pictures = requestPictures(site.port, content)
  const memory = await observeLoad(site, load.result, minutes)
  endPurges()
  // The load goes on until the last edit is visible.
  const [edited, pictured] = await Promise.all([edits.stop(), pictures.stop()])
  const result = await load.stop()
  return {
    load: result,
    edits: edited,
    pictures: pictured,
    memory,
    acknowledged,
    ended: await site.stop(),
  }
}

const count = (number: number, what: string): string[] => (number > 0 ? [`${number} ${what}`] : [])

/** Reasons for a failed run, one line each. */
function problemsOf(
  { load, edits, pictures, acknowledged, ended }: Observed,
  { collections, integrity, stored }: OnDisk,
  errorLines: readonly string[],
): string[] {
  return [
    ...(ended.code === 0
      ? []
      : [`the site ended with exit code ${ended.code}, signal ${ended.signal}`]),
    ...errorLines,
    ...collections.failures,
    ...count(countServerErrors(load), 'answers with status 500 or above'),
    ...count(countLost(load), `requests without an answer: ${JSON.stringify(load.lost)}`),
    ...edits.failures,
    ...pictures.failures,
    ...(stored.votes === acknowledged.votes
      ? []
      : [`${acknowledged.votes} votes acknowledged, ${stored.votes} stored`]),
    ...count(stored.missingEvents, 'acknowledged events are not stored'),
    ...Object.entries(integrity).flatMap(([file, found]) =>
      found === 'ok' ? [] : [`${file}: ${found}`],
    ),
    ...Object.entries(collections.counts).flatMap(([script, made]) =>
      made > 0 ? [] : [`no collection was forced in ${script}`],
    ),
  ]
}

function printSummary(
  node: string,
  { load, edits, pictures, memory, acknowledged, ended }: Observed,
  { collections, integrity, stored }: OnDisk,
): void {
  const files = Object.entries(integrity).map(([file, found]) => `${file} ${found}`)
  console.log(
    `node: ${node}, ${minutes} min at ${connections} connections, exit code ${ended.code}`,
  )
  console.log(`answers: ${countAnswers(load)} ${JSON.stringify(load.answers)}`)
  console.log(`lost: ${countLost(load)} ${JSON.stringify(load.lost)}`)
  console.log(`edits: ${edits.made} made, ${edits.seen} seen`)
  console.log(`slowest edit: ${(edits.slowestMs / 1000).toFixed(2)} s`)
  console.log(`pictures: ${pictures.made} encoded, ${pictures.failures.length} failed`)
  console.log(describeMemory(memory))
  console.log(
    `collections forced: ${Object.entries(collections.counts)
      .map(([script, made]) => `${script} ${made}`)
      .join(', ')}`,
  )
  console.log(
    `acknowledged: ${acknowledged.votes} votes, ${stored.votes} stored; ${acknowledged.eventIds.size} events, ${stored.missingEvents} missing`,
  )
  console.log(`integrity: ${files.join(', ')}`)
}

async function main(): Promise<void> {
  const node = execFileSync(values.node, ['--version'], { encoding: 'utf8' }).trim()
  const dataDir = temporaryFolder('soak-mixed')
  const content = copyContent()
  process.once('exit', () =>
    [dataDir, content].forEach((folder) =>
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
    ),
  )
  const { env, read } = forceCollections(join(dataDir, 'forced-collections.log'))
  const site = await startSoakSite(dataDir, {
    node: values.node,
    env: { ...env, CONTENT_DIR: content },
  })
  const observed = await observe(site, content)
  const onDisk = {
    collections: read(),
    integrity: integrityOf(dataDir),
    stored: storedWrites(dataDir, observed.acknowledged),
  }
  const problems = problemsOf(observed, onDisk, site.errorLines)
  printSummary(node, observed, onDisk)
  for (const problem of problems.slice(0, shownProblems)) console.log(`problem: ${problem}`)
  if (problems.length > shownProblems)
    console.log(`and ${problems.length - shownProblems} more problems`)
  if (problems.length > 0) process.exitCode = 1
  console.log(problems.length > 0 ? 'FAILED' : 'ok')
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  console.log('FAILED')
  process.exit(1)
})
