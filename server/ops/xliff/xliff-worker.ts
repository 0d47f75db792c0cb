/**
 * The worker thread of one job with translations: 4 MB of XLIFF take two seconds, in which
 * visitors' requests are answered. Built as `server/xliff-worker.js`.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { OperatorError } from '../../errors'
import { runXliffJob, type XliffJob } from './xliff-jobs'
import type { XliffAnswer } from './xliff-thread'

function answer(): XliffAnswer {
  try {
    // A cast because workerData is untyped: `startXliffJob` sends a job.
    return { result: runXliffJob(workerData as XliffJob) }
  } catch (error) {
    if (error instanceof OperatorError) return { refused: error.message }
    throw error
  }
}

parentPort?.postMessage(answer())
