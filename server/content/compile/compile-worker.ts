/**
 * A worker thread that compiles Markdown files for the content process (`compile-threads.ts`). Built
 * as `server/compile-worker.js`.
 */
import { workerData } from 'node:worker_threads'
import { createFileCompiler, type CompileJob } from './compile-file'
import type { ThreadData } from './compile-threads'
import type { CompiledFile } from './prepare-article'

// A cast because workerData is untyped: `startThread` sends it.
const { port, sent, sources } = workerData as ThreadData
const compile = createFileCompiler(sources)

/** Null where compiling throws: the process compiles the file itself then, and throws the error. */
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
