import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Build } from '../../build-info'
import type { Settings } from '../../env'
import { nodeLines, supportEndOf } from '../../telemetry/node-release'
import type { RunningNode } from '../metrics/running-nodes'
import { causeOf, noted, ok, wrong, type Finding } from './finding'

const megabyte = 1024 * 1024
/** Free space (bytes): pictures, copies and the store need some; below the second nothing can be written soon. */
const littleSpace = 2048 * megabyte
const noSpace = 200 * megabyte
/** What a process needs besides its page cache (MB; see ecosystem.config.js). */
const besidesCache = 768
/** A clock that is this much off breaks identity tokens and one-time tokens (ms). */
const clockTolerance = 30_000

/** The version that runs this command, and those of the running site's processes. */
export function checkNode(
  running: readonly RunningNode[],
  version = process.version,
  now = Date.now(),
): Finding {
  const end = supportEndOf(version)
  if (end === null)
    return wrong(
      'Node',
      `version ${version} is not one that the site is made for (${nodeLines.join(', ')})`,
      'start the site and its commands with node_modules/.bin/node, or by npm run',
    )
  const other = running.find((one) => one.version !== version)
  if (other)
    return noted(
      'Node',
      `version ${version} here, but process ${other.process} (${other.role}) runs on ${other.version}`,
      'restart the site: npm run deploy:reload under PM2, else systemctl restart site',
    )
  const day = new Date(end).toISOString().slice(0, 10)
  if (now > end)
    return noted(
      'Node',
      `version ${version}: its support ended on ${day}`,
      'update the packages node-… in package.json',
    )
  return ok(
    'Node',
    `version ${version}, supported until ${day}${running.length > 0 ? `; ${running.length} running processes have the same` : ''}`,
  )
}

export function checkMemory(
  { PAGE_CACHE_MAX_MB }: Settings,
  memory = totalmem(),
  processes = cpus().length,
): Finding {
  const needed = processes * (PAGE_CACHE_MAX_MB + besidesCache)
  const has = Math.round(memory / megabyte)
  if (needed <= has)
    return ok('memory', `${has} MB; ${processes} processes (one a core) take ${needed} MB at most`)
  return noted(
    'memory',
    `${has} MB, but ${processes} processes (one a core) may take ${needed} MB`,
    'lower PAGE_CACHE_MAX_MB, or WEB_CONCURRENCY under PM2',
  )
}

/** The folder that the site writes to: that it can be written, and that there is room. */
export function checkDisk({ DATA_DIR }: Settings): Finding {
  const probe = join(DATA_DIR, `.doctor-${process.pid}`)
  try {
    mkdirSync(DATA_DIR, { recursive: true })
    writeFileSync(probe, 'x')
    rmSync(probe)
    const { bavail, bsize } = statfsSync(DATA_DIR)
    const free = bavail * bsize
    const says = `${DATA_DIR}: ${Math.round(free / megabyte)} MB free`
    if (free < noSpace)
      return wrong(
        'disk',
        says,
        'make room: the site cannot store anything soon, and answers writes with 503 then',
      )
    return free < littleSpace
      ? noted('disk', says, 'make room before pictures and backups fill it')
      : ok('disk', says)
  } catch (error) {
    return wrong(
      'disk',
      `DATA_DIR=${DATA_DIR} cannot be written (${causeOf(error)})`,
      'make the folder, give it to the user that runs the site, or set DATA_DIR to another one',
    )
  }
}

/** Against the moment of the build, which cannot lie in the future, and against clocks of others: those of the backend, the identity provider, the database. */
export function checkClock(
  build: Pick<Build, 'timestamp'>,
  others: ReadonlyArray<{ name: string; offset: number }>,
  now = Date.now(),
): Finding {
  const todo = 'let the clock be set by the network (timedatectl set-ntp true)'
  if (now < build.timestamp)
    return wrong(
      'clock',
      `says ${new Date(now).toISOString()}, which is before this program was built`,
      todo,
    )
  const off = others.find(({ offset }) => Math.abs(offset) > clockTolerance)
  if (off)
    return wrong(
      'clock',
      `is ${Math.round(Math.abs(off.offset) / 1000)} s ${off.offset > 0 ? 'behind' : 'ahead of'} that of ${off.name}`,
      todo,
    )
  return others.length > 0
    ? ok('clock', `agrees with that of ${others.map(({ name }) => name).join(', ')}`)
    : noted('clock', `says ${new Date(now).toISOString()}; there is nobody to compare it with`)
}
