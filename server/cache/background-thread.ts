import { Worker } from 'node:worker_threads'
import type {
  Background,
  BackgroundJob,
  CompressedForms,
  Compressible,
  CompressJob,
  JobResult,
  ToThread,
} from './background-jobs'
import { compressJob, withForms } from './compress-answer'
import type { StoredAnswer } from './stored-answer'

export type BackgroundThread = Background & {
  /** Ends the thread after its current job. The jobs that wait are dropped. */
  close: () => Promise<void>
}

type WaitingJob = {
  job: BackgroundJob
  resolve: (forms: CompressedForms) => void
  reject: (error: Error) => void
}

/**
 * The thread of `background-worker.ts`. It gets one job at a time, so that its queue holds no
 * copies of bodies. It starts with the first job, and again after a crash, which fails one job.
 */
export function createBackgroundThread(script: string): BackgroundThread {
  const waiting: WaitingJob[] = []
  let running: WaitingJob | null = null
  let thread: Worker | null = null
  let isClosed = false

  function startThread(): Worker {
    const started = new Worker(script, { execArgv: [] })
    // A job that waits must not keep the process alive.
    started.unref()
    const onEnd = (reason: string): void => {
      if (thread !== started) return
      thread = null
      // `close` ends the thread on purpose: no job has failed.
      if (!isClosed) settle({ error: reason })
    }
    started.on('message', settle)
    started.on('error', (error: Error) => onEnd(error.message))
    started.on('exit', () => onEnd('the background thread ended'))
    return started
  }
  function settle(result: JobResult): void {
    const settled = running
    running = null
    if ('error' in result) settled?.reject(new Error(result.error))
    else settled?.resolve(result.forms)
    startNext()
  }
  function startNext(): void {
    if (running || isClosed) return
    running = waiting.shift() ?? null
    if (!running) return
    thread ??= startThread()
    thread.postMessage(running.job satisfies ToThread)
  }
  const run = (job: BackgroundJob): Promise<CompressedForms> =>
    new Promise((resolve, reject) => {
      waiting.push({ job, resolve, reject })
      startNext()
    })

  const compress = async (
    answer: Compressible,
    job: CompressJob,
  ): Promise<StoredAnswer['encoded']> => withForms(answer, job, await run(job))

  return {
    compress: (answer) => compress(answer, compressJob(answer)),
    compressHot: (answer) => compress(answer, { kind: 'compressHot', body: answer.body }),
    async write(job) {
      await run({ kind: 'write', ...job })
    },
    async close() {
      isClosed = true
      const closing = thread
      if (!closing) return
      closing.ref()
      const ended = new Promise((resolve) => closing.once('exit', resolve))
      // Not `terminate`: Node aborts the whole process if the thread is just starting to compress.
      closing.postMessage('close' satisfies ToThread)
      await ended
    },
  }
}
