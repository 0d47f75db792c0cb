import { availableParallelism } from 'node:os'
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads'
import { createFileCompiler, type CompileJob } from './compile-file'
import type { CompiledFile } from './prepare-article'
import type { Sources } from './source-files'

/** What a thread gets: where its jobs come from, and the number of results that it has sent. */
export type ThreadData = {
  port: MessagePort
  sent: Int32Array
  sources: Pick<Sources, 'content' | 'public'>
}
type Thread = Omit<ThreadData, 'sources'> & { worker: Worker; hasEnded: boolean }

/** One thread writes the database; it could not keep up with more. */
const maxThreads = 4
const defaults = {
  /** A thread takes half a second to start, in which so many files are compiled without it. */
  minFiles: 100,
  /** A file takes milliseconds, so a thread that is silent for so long has ended. */
  maxWaitMs: 60_000,
}

function startThread(script: string, { content, public: publicFolder }: Sources): Thread {
  const { port1: port, port2 } = new MessageChannel()
  const sent = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const workerData: ThreadData = { port: port2, sent, sources: { content, public: publicFolder } }
  const worker = new Worker(script, { workerData, transferList: [port2], execArgv: [] })
  // Its files are compiled here then: see `receive`.
  worker.on('error', () => undefined)
  return { worker, port, sent, hasEnded: false }
}

/** Sleeps until the thread has sent its next result; null when it has ended. */
function receive(thread: Thread, maxWaitMs: number): CompiledFile | null {
  const { port, sent } = thread
  while (!thread.hasEnded) {
    // Read first: a result that comes after it changes the number, and `wait` returns at once.
    const seen = Atomics.load(sent, 0)
    const received = receiveMessageOnPort(port)
    // The cast: the thread sends nothing else.
    if (received) return received.message as CompiledFile | null
    thread.hasEnded = Atomics.wait(sent, 0, seen, maxWaitMs) === 'timed-out'
  }
  return null
}

/**
 * Compiles files in the order in which they were started. From `minFiles` files on, as many threads
 * as there are cores work ahead while the database is written; `worker` is their script. The content
 * process needs nothing else meanwhile, so it waits for them without returning to its event loop: a
 * run of the compiler stays one transaction.
 */
export function createCompileThreads(sources: Sources, { minFiles, maxWaitMs } = defaults) {
  const compileHere = createFileCompiler(sources)
  const threadCount = Math.min(availableParallelism(), maxThreads)
  let threads: Thread[] = []
  let started = 0

  function nextThread(): Thread | undefined {
    if (threads.length === 0 && sources.worker && started >= minFiles) {
      const { worker } = sources
      threads = Array.from({ length: threadCount }, () => startThread(worker, sources))
    }
    return threads[started % threadCount]
  }

  return {
    /** Starts a job. The returned functions must be called in the order of the jobs. */
    start(job: CompileJob): () => CompiledFile {
      const thread = nextThread()
      started += 1
      thread?.port.postMessage(job)
      return () => (thread && receive(thread, maxWaitMs)) ?? compileHere(job)
    },
    /** So many jobs keep all threads busy. */
    maxPending: threadCount * 8,
    stop(): void {
      for (const { worker } of threads) void worker.terminate()
      threads = []
      started = 0
    },
  }
}
