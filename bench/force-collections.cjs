// Preloaded into every process and worker thread of a site (NODE_OPTIONS=--require=…): collects all
// garbage once a second, because native modules that free their objects wrongly abort during a
// collection. The file that FORCED_COLLECTIONS names gets a line for each collection ("collected",
// script) and for each child process that ended ("ended", script, exit code, signal). The site
// itself does not log an encoder that ends while it is idle.
const childProcess = require('node:child_process')
const { appendFileSync } = require('node:fs')
const { basename } = require('node:path')
const { setFlagsFromString } = require('node:v8')
const { runInNewContext } = require('node:vm')

const { NODE_OPTIONS, FORCED_COLLECTIONS } = process.env
const intervalMs = 1000
const write = (...words) => appendFileSync(FORCED_COLLECTIONS, `${words.map(String).join(' ')}\n`)

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
setInterval(() => {
  collect()
  write('collected', basename(process.argv[1] ?? ''))
}, intervalMs).unref()

const { fork } = childProcess
childProcess.fork = (script, args, options) => {
  // Encoders are started with an empty environment: without these two variables they would not load
  // this file.
  const env = { ...(options?.env ?? process.env), NODE_OPTIONS, FORCED_COLLECTIONS }
  const child = fork(script, args, { ...options, env })
  child.on('exit', (code, signal) => write('ended', basename(script), code, signal))
  return child
}
