/**
 * The worker thread that compresses pages and writes their copies to disk. Node's own asynchronous
 * functions for these wake four threads and cost the thread that answers requests as much as the
 * work itself. Built as `server/background-worker.js`.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { parentPort, threadId } from 'node:worker_threads'
import type { BackgroundJob, JobResult, ToThread } from './background-jobs'
import { compressBody } from './compress-answer'

const port = parentPort
if (!port) throw new Error('this file runs only as a worker thread')

function runJob(job: BackgroundJob): JobResult {
  if (job.kind !== 'write') return { forms: compressBody(job) }
  const temporary = `${job.file}.${process.pid}-${threadId}.tmp`
  mkdirSync(job.folder, { recursive: true })
  writeFileSync(temporary, job.bytes, { mode: 0o600 })
  renameSync(temporary, job.file)
  return { forms: {} }
}

function tryJob(job: BackgroundJob): JobResult {
  try {
    return runJob(job)
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

port.on('message', (message: ToThread) => {
  // Ends only this thread.
  if (message === 'close') process.exit()
  const startedAt = performance.now()
  const result = tryJob(message)
  // Rests as long as it worked, so that a flood of new pages leaves the processor to their
  // visitors.
  setTimeout(() => port.postMessage(result), performance.now() - startedAt)
})
