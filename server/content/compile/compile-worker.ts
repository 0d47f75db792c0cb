/**
 * A worker thread that compiles Markdown files for the content process (`compile-threads.ts`).
 * Built as `server/compile-worker.js`.
 */
import { workerData } from 'node:worker_threads'
import { createFileCompiler, type CompiledFile, type CompileJob } from './compile-file'
import type { ThreadData } from './compile-threads'

// A cast because workerData is untyped: `startThread` sends it.
const { port, sent, sources } = workerData as ThreadData
const compile = createFileCompiler(sources)

/** Null when compiling throws. The process then compiles the file itself and gets the error. */
function tryCompile(job: CompileJob): CompiledFile | null {
  try {
    return compile(job)
  } catch {
    return null
  }
}

port.on('message', (job: CompileJob) => {
  port.postMessage(tryCompile(job))
  Atomics.add(sent, 0, 1)
  Atomics.notify(sent, 0)
})
