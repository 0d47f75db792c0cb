import { execFile } from 'node:child_process'
import { join } from 'node:path'
import {
  purgePages,
  readSystem,
  runDoctor,
  type AnnouncementRow,
  type Fact,
} from '../../../shared/console/system'
import { listBatches, type Batch } from '../../db/announcement-store'
import { SiteError } from '../../errors'
import { readSnapshots, type ProcessSnapshot } from '../metrics/read-snapshots'
import type { OpsServices } from '../ops-call'
import { implementCall, type ConsoleCallRow } from './define-console-call'
import { failedRequests, processRows } from './process-figures'

const maxBatches = 50
const maxUrlsPerBatch = 20
const maxProblems = 200
const doctorTimeoutMs = 60_000
const doctorStopped = `the checks did not finish within ${doctorTimeoutMs / 1000} s or were stopped: run npm run doctor on the server`
const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`

const isOn = (value: string): string => (value === '' ? 'off' : 'on')

function factsOf({
  settings,
  build,
  database,
  search,
  store,
  contentNodeVersion,
  cache,
}: OpsServices): Fact[] {
  const { rss, heapUsed } = process.memoryUsage()
  const facts: Readonly<Record<string, string | number>> = {
    Build: `${build.id}, built ${new Date(build.timestamp).toISOString()}`,
    'This process': `${process.pid}, Node ${process.version}, up ${Math.round(process.uptime())} s`,
    Memory: `${megabytes(rss)}, of which ${megabytes(heapUsed)} are objects`,
    Database: database.dialect === 'sqlite' ? 'SQLite' : 'PostgreSQL',
    'Statements that wait': database.queueLength(),
    'Searches that wait or run': search.pendingCount(),
    'Purges since the start': `${cache.purgeCount()}, the last ${new Date(cache.purgedAt()).toISOString()}`,
    Redis: isOn(settings.REDIS_URL),
    'Backend (API_UPSTREAM)': isOn(settings.API_UPSTREAM),
    'Content generation': store.generation(),
    'Content process': contentNodeVersion() ?? 'in another process of this machine',
    IndexNow: isOn(settings.INDEXING ? settings.INDEXNOW_KEY && settings.INDEXNOW_ENDPOINT : ''),
  }
  return Object.entries(facts).map(([name, value]) => ({ name, value: String(value) }))
}

const stateOf = ({ next_at, error }: Batch): AnnouncementRow['state'] =>
  next_at !== null ? 'waiting' : error === '' ? 'announced' : 'failed'

/** What the doctor prints, also when it finds problems and therefore exits with 1. */
function doctorText(buildFolder: string): Promise<string> {
  const script = join(buildFolder, 'server', 'doctor.js')
  const options = { timeout: doctorTimeoutMs, maxBuffer: 1024 * 1024 }
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [script], options, (error, stdout) => {
      // It prints at the end, so one that was killed, as at the time limit, has no findings.
      if (error?.signal) reject(new SiteError('unavailable', doctorStopped))
      else if (error && stdout === '') reject(new Error('the doctor failed', { cause: error }))
      else resolve(stdout)
    })
  })
}

/** Empty when the file of the figures cannot be read, so that the view shows at least the rest. */
function snapshotsOf({ settings, log }: OpsServices): ProcessSnapshot[] {
  try {
    return readSnapshots(settings.DATA_DIR)
  } catch (error) {
    log.warn({ err: error }, 'the figures of the processes could not be read')
    return []
  }
}

/** State of the processes, the cache and the announcements; purges. */
export const systemCalls: readonly ConsoleCallRow[] = [
  implementCall(readSystem, {
    createHandler: (services) => async () => {
      const snapshots = snapshotsOf(services)
      const batches = await listBatches(services.database, maxBatches, maxUrlsPerBatch)
      return {
        processes: processRows(snapshots),
        facts: factsOf(services),
        failed: failedRequests(snapshots),
        problems: services.store.problems().slice(0, maxProblems),
        announcements: batches.map((batch) => ({
          ...batch,
          state: stateOf(batch),
          answer: batch.error || String(batch.status ?? ''),
        })),
      }
    },
  }),
  implementCall(runDoctor, {
    createHandler:
      ({ build }) =>
      async () => ({ text: await doctorText(build.folder) }),
  }),
  implementCall(purgePages, {
    logged: (request) => request,
    createHandler:
      ({ purge }) =>
      (request) => ({ purged: purge(request) }),
  }),
]
