// `npm run logs`: prints the site's JSON log lines in readable form. Reads the files that are
// named, else standard input, else LOG_FILE, else DATA_DIR/logs/site.log.
import { createReadStream, existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { prettyFactory } from 'pino-pretty'

const usage = `usage: npm run logs -- [FILE …] [filters]        or: npm start | npm run logs -- [filters]
  --level warn        lines of this level and above: trace debug info warn error fatal
  --status 5xx        a status or a class of statuses: 404, 4xx
  --route doc         the id of a route
  --path /es/         paths that begin with this text
  --host zh.          hosts that begin with this text
  --cache miss        hit, miss, shared, stale, collapsed, bypass
  --slow 200          requests that took this many ms or longer
  --id ID             all lines of one request
  --find TEXT         lines that contain a text
  --since 10m         lines of the last 10 minutes (s, m, h, d), or since a time (2026-11-21T12:00Z)
  --no-requests       no request lines
  --json              the JSON lines, unchanged
  --follow            continues when the file grows`

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']
const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const pollIntervalMs = 250

function fail(message) {
  console.error(`${message}\n\n${usage}`)
  process.exit(1)
}

const text = { type: 'string' }
const flag = { type: 'boolean', default: false }
function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        level: text,
        status: text,
        route: text,
        path: text,
        host: text,
        cache: text,
        slow: text,
        id: text,
        find: text,
        since: text,
        'no-requests': flag,
        json: flag,
        follow: flag,
        help: flag,
      },
    })
  } catch (error) {
    return fail(error.message)
  }
}

/** The time of `--since` in ms since 1970: `10m` ago, or a date. */
function parseSince(value) {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(value) ?? []
  const time = unit ? Date.now() - Number(count) * unitMs[unit] : Date.parse(value)
  return Number.isNaN(time) ? fail(`--since ${value} is not a time`) : time
}

const { values: options, positionals: files } = readArguments()
if (options.help) {
  console.log(usage)
  process.exit(0)
}
if (options.level && !levels.includes(options.level))
  fail(`--level ${options.level} is not a level`)
if (options.status && !/^[1-5](\d\d|xx)$/.test(options.status))
  fail(`--status ${options.status} is not a status`)
if (options.slow && !/^\d+$/.test(options.slow)) fail('--slow takes a number of milliseconds')

/** Returns a function that says whether a line passes all filters. */
function createFilter() {
  const since = options.since && parseSince(options.since)
  const status = options.status && new RegExp(`^${options.status.replace('xx', '\\d\\d')}$`)
  const minLevel = levels.indexOf(options.level)
  const beginsWith = (value, start) => String(value ?? '').startsWith(start)
  const filters = [
    options.level && ((line) => levels.indexOf(line.level) >= minLevel),
    options.status && ((line) => status.test(String(line.status))),
    options.route && ((line) => line.route === options.route),
    options.path && ((line) => beginsWith(line.path, options.path)),
    options.host && ((line) => beginsWith(line.host, options.host)),
    options.cache && ((line) => line.cache === options.cache),
    options.slow && ((line) => Number(line.duration) >= Number(options.slow)),
    options.id && ((line) => line.id === options.id),
    options.since && ((line) => Date.parse(line.time) >= since),
    options['no-requests'] && ((line) => line.msg !== 'request'),
  ].filter(Boolean)
  return (line) => filters.every((passes) => passes(line))
}
const passesFilters = createFilter()

const requestText = (line) =>
  `${line.status} ${line.method} ${line.host}${line.path}  ${line.duration} ms  ${line.bytes} B  ${[line.route, line.locale, line.cache].filter(Boolean).join(' ')}`
const pretty = prettyFactory({
  colorize: process.stdout.isTTY && !process.env.NO_COLOR,
  translateTime: 'SYS:yyyy-mm-dd HH:MM:ss.l',
  ignore: 'pid,hostname,method,host,path,route,locale,status,duration,cache,bytes',
  messageFormat: (line, key) =>
    line[key] === 'request' && line.status !== undefined
      ? requestText(line)
      : String(line[key] ?? ''),
})

function printLine(raw) {
  if (options.find && !raw.includes(options.find)) return
  let line
  try {
    line = JSON.parse(raw)
  } catch {
    // Lines that are not JSON, such as a crash report of Node, pass all other filters.
    if (raw.trim() !== '') process.stdout.write(`${raw}\n`)
    return
  }
  if (line === null || typeof line !== 'object' || !passesFilters(line)) return
  process.stdout.write(options.json ? `${raw}\n` : pretty(raw))
}

const printStream = (input) =>
  new Promise((done) => createInterface({ input }).on('line', printLine).on('close', done))

/** Prints a file and what is appended to it. Starts again when the file was emptied or replaced. */
async function follow(file) {
  let position = 0
  for (;;) {
    const size = existsSync(file) ? statSync(file).size : 0
    if (size < position) position = 0
    if (size > position) {
      let incomplete = ''
      const range = { start: position, end: size - 1, encoding: 'utf8' }
      for await (const chunk of createReadStream(file, range)) {
        const lines = (incomplete + chunk).split('\n')
        incomplete = lines.pop() ?? ''
        lines.forEach(printLine)
      }
      // An incomplete last line is read again with the next poll.
      position = size - Buffer.byteLength(incomplete)
    }
    await new Promise((done) => setTimeout(done, pollIntervalMs))
  }
}

// A reader that closes the pipe early, such as head, is not an error.
process.stdout.on('error', (error) => process.exit(error.code === 'EPIPE' ? 0 : 1))

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const defaultFile =
  process.env.LOG_FILE || join(resolve(root, process.env.DATA_DIR || 'data'), 'logs', 'site.log')
const namedFiles = files.map((file) => resolve(process.env.INIT_CWD ?? process.cwd(), file))
// /dev/null is a character device: a script without input reads the default file.
const isPiped =
  namedFiles.length === 0 &&
  !process.stdin.isTTY &&
  statSync('/dev/stdin', { throwIfNoEntry: false })?.isCharacterDevice() === false

if (isPiped) await printStream(process.stdin)
else {
  const sources = namedFiles.length > 0 ? namedFiles : [defaultFile]
  for (const file of sources)
    if (!existsSync(file))
      fail(
        `${file} does not exist. systemd and containers keep logs elsewhere: journalctl -u site -o cat | npm run logs`,
      )
  if (options.follow) await Promise.all(sources.map(follow))
  else for (const file of sources) await printStream(createReadStream(file))
}
