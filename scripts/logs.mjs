// `npm run logs`: the site's JSON lines for people. Reads files that are named, else what is piped in, else DATA_DIR/logs/site.log.
import { createReadStream, existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { prettyFactory } from 'pino-pretty'

const usage = `usage: npm run logs -- [FILE …] [filters]        or: npm start | npm run logs -- [filters]
  --level warn        this level and above: trace debug info warn error fatal
  --status 5xx        a status, or a class of them: 404, 4xx
  --route docs        a route, by its id
  --path /es/         addresses that begin so
  --host zh.          hosts that begin so
  --cache miss        hit, miss, shared, stale, collapsed, bypass
  --slow 200          took so many ms or longer
  --id ID             all lines of one request
  --find TEXT         lines that hold a text
  --since 10m         not older: s, m, h, d, or a moment (2026-11-21T12:00Z)
  --no-requests       without the lines of requests
  --json              as they are
  --follow            goes on when the file grows`

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']
const units = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const text = { type: 'string' }
const flag = { type: 'boolean', default: false }

function complain(message) {
  console.error(`${message}\n\n${usage}`)
  process.exit(1)
}

function read() {
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
    return complain(error.message)
  }
}

const { values: wanted, positionals: files } = read()
if (wanted.help) {
  console.log(usage)
  process.exit(0)
}

function since(value) {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(value) ?? []
  const moment = unit ? Date.now() - Number(count) * units[unit] : Date.parse(value)
  return Number.isNaN(moment) ? complain(`--since ${value} is no time`) : moment
}
if (wanted.level && !levels.includes(wanted.level)) complain(`--level ${wanted.level} is none`)
if (wanted.status && !/^[1-5](\d\d|xx)$/.test(wanted.status))
  complain(`--status ${wanted.status} is none`)
if (wanted.slow && !/^\d+$/.test(wanted.slow)) complain('--slow takes milliseconds')
const from = wanted.since === undefined ? -Infinity : since(wanted.since)

/** Each filter that was asked for: whether a line fits. */
const filters = [
  wanted.level && ((line) => levels.indexOf(line.level) >= levels.indexOf(wanted.level)),
  wanted.status &&
    ((line) => new RegExp(`^${wanted.status.replace('xx', '\\d\\d')}$`).test(String(line.status))),
  wanted.route && ((line) => line.route === wanted.route),
  wanted.path && ((line) => String(line.path ?? '').startsWith(wanted.path)),
  wanted.host && ((line) => String(line.host ?? '').startsWith(wanted.host)),
  wanted.cache && ((line) => line.cache === wanted.cache),
  wanted.slow && ((line) => Number(line.duration) >= Number(wanted.slow)),
  wanted.id && ((line) => line.id === wanted.id),
  wanted.since && ((line) => Date.parse(line.time) >= from),
  wanted['no-requests'] && ((line) => line.msg !== 'request'),
].filter(Boolean)

const pretty = prettyFactory({
  colorize: process.stdout.isTTY && !process.env.NO_COLOR,
  translateTime: 'SYS:yyyy-mm-dd HH:MM:ss.l',
  ignore: 'pid,hostname,method,host,path,route,locale,status,duration,cache,bytes',
  messageFormat: (line, key) =>
    line[key] === 'request' && line.status !== undefined
      ? `${line.status} ${line.method} ${line.host}${line.path}  ${line.duration} ms  ${line.bytes} B  ${[line.route, line.locale, line.cache].filter(Boolean).join(' ')}`
      : String(line[key] ?? ''),
})

function show(raw) {
  if (wanted.find && !raw.includes(wanted.find)) return
  let line
  try {
    line = JSON.parse(raw)
  } catch {
    // What is no line of ours (a crash of Node itself) is never hidden by a filter that cannot read it.
    if (raw.trim() !== '') process.stdout.write(`${raw}\n`)
    return
  }
  if (line === null || typeof line !== 'object' || !filters.every((fits) => fits(line))) return
  process.stdout.write(wanted.json ? `${raw}\n` : pretty(raw))
}

const ended = (lines) => new Promise((done) => lines.on('line', show).on('close', done))

/** Shows what comes after `start`, and looks for more; begins anew when the file was emptied or replaced. */
async function follow(file, start) {
  let at = start
  for (;;) {
    const size = existsSync(file) ? statSync(file).size : 0
    if (size < at) at = 0
    if (size > at) {
      // Up to the last whole line: the rest comes with the next look.
      let rest = ''
      for await (const chunk of createReadStream(file, {
        start: at,
        end: size - 1,
        encoding: 'utf8',
      })) {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop() ?? ''
        lines.forEach(show)
      }
      at = size - Buffer.byteLength(rest)
    }
    await new Promise((done) => setTimeout(done, 250))
  }
}

// A reader that has seen enough (head, less) is no failure.
process.stdout.on('error', (error) => process.exit(error.code === 'EPIPE' ? 0 : 1))

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const ownFile =
  process.env.LOG_FILE || join(resolve(root, process.env.DATA_DIR || 'data'), 'logs', 'site.log')
const named = files.map((file) => resolve(process.env.INIT_CWD ?? process.cwd(), file))
const piped =
  named.length === 0 &&
  !process.stdin.isTTY &&
  (statSync('/dev/stdin', { throwIfNoEntry: false })?.isCharacterDevice() ?? true) === false

if (piped) await ended(createInterface({ input: process.stdin }))
else {
  const sources = named.length > 0 ? named : [ownFile]
  for (const file of sources)
    if (!existsSync(file))
      complain(
        `${file} does not exist. Under systemd or in a container lines go to its own log: journalctl -u site -o cat | npm run logs`,
      )
  if (wanted.follow) await Promise.all(sources.map((file) => follow(file, 0)))
  else for (const file of sources) await ended(createInterface({ input: createReadStream(file) }))
}
