import { availableParallelism } from 'node:os'
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads'
import { createFileCompiler, type CompiledFile, type CompileJob } from './compile-file'
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
  /** Fewer changed files are compiled without threads, which would take longer to start. */
  minFiles: 100,
  /** A file takes milliseconds. A thread that sends nothing for so long has ended. */
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

/** The next result of a thread: this thread sleeps until it has come. Null when the other ended. */
function receive(thread: Thread, maxWaitMs: number): CompiledFile | null {
  const { port, sent } = thread
  while (!thread.hasEnded) {
    // Read before looking for a result: if one comes in between, the number has changed, and `wait`
    // returns at once.
    const seen = Atomics.load(sent, 0)
    const received = receiveMessageOnPort(port)
    // The cast: the thread sends nothing else.
    if (received) return received.message as CompiledFile | null
    thread.hasEnded = Atomics.wait(sent, 0, seen, maxWaitMs) === 'timed-out'
  }
  return null
}

/**
 * Compiles the files of one run, few of them in place, many in threads (at most one for each core).
 * The caller starts some files, then takes their results one by one and writes them to the
 * database, while the threads compile the next ones. It sleeps when a result is not there yet,
 * instead of returning to the event loop, so that the whole run is one synchronous transaction.
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
    /**
     * Starts to compile a file. The returned function waits for the result. These functions must be
     * called in the order in which the files were started.
     */
    start(job: CompileJob): () => CompiledFile {
      const thread = nextThread()
      started += 1
      thread?.port.postMessage(job)
      return () => (thread && receive(thread, maxWaitMs)) ?? compileHere(job)
    },
    /** How many files to start before the first result is taken, so that no thread is idle. */
    maxPending: threadCount * 8,
    stop(): void {
      for (const { worker } of threads) void worker.terminate()
      threads = []
      started = 0
    },
  }
}
