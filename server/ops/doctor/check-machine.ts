import { rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { utcDay } from '../../../shared/utc-day'
import type { Build } from '../../build-info'
import { createFolder } from '../../db/data-folder'
import type { Settings } from '../../env'
import { supportedNodeLines, supportEndTime } from '../../telemetry/node-release'
import type { RunningNode } from '../metrics/running-nodes'
import { causeOf, note, ok, problem, type ClockReading, type Finding } from './finding'

const megabyte = 1024 * 1024
/** Free disk space: below the first the doctor warns, below the second writes will fail soon. */
const lowSpaceBytes = 2048 * megabyte
const noSpaceBytes = 200 * megabyte
/** Memory of a process besides its page cache, as in ecosystem.config.js. */
const processMegabytes = 768
/** A larger difference breaks identity tokens and one-time tokens. */
const maxClockOffsetMs = 30_000

/** Checks the version of Node that runs this command, and those of the running site's processes. */
export function checkNode(
  running: readonly RunningNode[],
  version = process.version,
  now = Date.now(),
): Finding {
  const supportEnd = supportEndTime(version)
  if (supportEnd === null)
    return problem(
      'Node',
      `version ${version} is not supported (supported: ${supportedNodeLines.join(', ')})`,
      'start the site and its commands with npm run or node_modules/.bin/node',
    )
  const other = running.find((candidate) => candidate.version !== version)
  if (other)
    return note(
      'Node',
      `version ${version} here, but process ${other.process} (${other.role}) runs on ${other.version}`,
      'restart the site: npm run deploy:reload under PM2, else systemctl restart site',
    )
  const day = utcDay(supportEnd)
  if (now > supportEnd)
    return note(
      'Node',
      `version ${version}: its support ended on ${day}`,
      'update the packages node-… in package.json',
    )
  const processes =
    running.length > 0 ? `; ${running.length} running processes have the same version` : ''
  return ok('Node', `version ${version}, supported until ${day}${processes}`)
}

/** Checks that one process per core fits into memory (`memory` in bytes). */
export function checkMemory(
  { PAGE_CACHE_MAX_MB }: Settings,
  memory = totalmem(),
  processes = cpus().length,
): Finding {
  const needed = processes * (PAGE_CACHE_MAX_MB + processMegabytes)
  const total = Math.round(memory / megabyte)
  if (needed <= total)
    return ok('memory', `${total} MB; ${processes} processes (one per core) need ${needed} MB`)
  return note(
    'memory',
    `${total} MB, but ${processes} processes (one per core) may need ${needed} MB`,
    'lower PAGE_CACHE_MAX_MB, or WEB_CONCURRENCY under PM2',
  )
}

/** Checks that DATA_DIR can be written, has free space, and is closed to other users. */
export function checkDisk(
  { DATA_DIR }: Pick<Settings, 'DATA_DIR'>,
  readSpace: (path: string) => { bavail: number; bsize: number } = statfsSync,
): Finding {
  const testFile = join(DATA_DIR, `.doctor-${process.pid}`)
  try {
    createFolder(DATA_DIR)
    writeFileSync(testFile, 'x')
    rmSync(testFile)
    const { bavail, bsize } = readSpace(DATA_DIR)
    const free = bavail * bsize
    const message = `${DATA_DIR}: ${Math.round(free / megabyte)} MB free`
    if (free < noSpaceBytes)
      return problem(
        'disk',
        message,
        'free some space: on a full disk, the site answers every write with 503',
      )
    if (free < lowSpaceBytes)
      return note('disk', message, 'free some space before images and backups fill the disk')
    const mode = statSync(DATA_DIR).mode & 0o777
    return mode & 0o077
      ? note(
          'disk',
          `${DATA_DIR} is open to other users (mode ${mode.toString(8)}): it holds drafts, keys and addresses`,
          `start the site as the owner of the folder, or run chmod 700 ${DATA_DIR}`,
        )
      : ok('disk', message)
  } catch (error) {
    return problem(
      'disk',
      `DATA_DIR=${DATA_DIR} cannot be written (${causeOf(error)})`,
      'create the folder, make the user that runs the site its owner, or change DATA_DIR',
    )
  }
}

/**
 * Compares the clock with the time of the build, which cannot be in the future, and with the clocks
 * of the backend, the identity provider and the database.
 */
export function checkClock(
  build: Pick<Build, 'timestamp'>,
  others: readonly ClockReading[],
  now = Date.now(),
): Finding {
  const fix = 'synchronize the clock with the network: timedatectl set-ntp true'
  if (now < build.timestamp)
    return problem(
      'clock',
      `shows ${new Date(now).toISOString()}, which is before the build of this program`,
      fix,
    )
  const wrong = others.find(({ offsetMs }) => Math.abs(offsetMs) > maxClockOffsetMs)
  if (wrong) {
    const seconds = Math.round(Math.abs(wrong.offsetMs) / 1000)
    const direction = wrong.offsetMs > 0 ? 'behind' : 'ahead of'
    return problem('clock', `is ${seconds} s ${direction} that of ${wrong.name}`, fix)
  }
  return others.length > 0
    ? ok('clock', `agrees with that of ${others.map(({ name }) => name).join(', ')}`)
    : note('clock', `shows ${new Date(now).toISOString()}; there is no other to compare it with`)
}
