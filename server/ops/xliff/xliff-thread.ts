import { Worker } from 'node:worker_threads'
import { SiteError } from '../../errors'
import type { XliffJob, XliffJobKind, XliffResult } from './xliff-jobs'

/** What a job's thread sends. `refused`: what is wrong with the input. */
export type XliffAnswer = { result: XliffResult } | { refused: string }

/**
 * Runs a job with translations in a thread, which ends with the job. Rejects with 400 where the
 * input is wrong.
 */
export function startXliffJob<Kind extends XliffJobKind>(
  script: string,
  job: XliffJob<Kind>,
): Promise<XliffResult<Kind>> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(script, { workerData: job, execArgv: [] })
    thread.on('message', (answer: XliffAnswer) => {
      if ('refused' in answer) reject(new SiteError('badRequest', answer.refused))
      // A cast because messages are untyped: the result is that of the job's kind.
      else resolve(answer.result as XliffResult<Kind>)
    })
    thread.on('error', reject)
    thread.on('exit', () => reject(new Error('the thread of a job ended without an answer')))
  })
}
