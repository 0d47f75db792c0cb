/**
 * `npm run doctor`: checks everything that the site depends on, and says what is wrong and how to
 * fix it. Built as `server/doctor.js`.
 */
import { join, resolve } from 'node:path'
import { isOperatorKey } from '../../api/envelope/operator-key'
import { readBuild } from '../../build-info'
import { restrictNewFiles } from '../../db/data-folder'
import { openDatabase } from '../../db/database'
import { readProcessSettings, SettingsError, type Settings } from '../../env'
import { createLogger } from '../../telemetry/logger'
import { readRunningNodes } from '../metrics/running-nodes'
import { checkContent } from './check-content'
import { checkIdentity } from './check-identity'
import { checkLaunch } from './check-launch'
import { checkLocations } from './check-locations'
import { checkClock, checkDisk, checkMemory, checkNode } from './check-machine'
import { checkHosts, checkPort } from './check-network'
import { checkRetention } from './check-retention'
import { checkOwnStatistics } from './check-statistics'
import { checkDatabase, checkKeys, checkRedis } from './check-stores'
import { checkUpstream } from './check-upstream'
import { ok, problem, runCheck, type ClockReading, type Finding } from './finding'

const buildFolder = resolve(__dirname, '..')
const root = resolve(buildFolder, '..', '..')

/** The clocks that services told, one per service. */
function clocksOf(findings: readonly Finding[]): ClockReading[] {
  const clocks = findings.flatMap(({ clock }) => clock ?? [])
  return [...new Map(clocks.map((clock) => [clock.name, clock])).values()]
}

async function runChecks(settings: Settings): Promise<Finding[]> {
  const build = readBuild(buildFolder)
  const database = openDatabase({
    url: settings.DATABASE_URL,
    script: join(buildFolder, 'server', 'sqlite-worker.js'),
    log: createLogger('silent'),
  })
  try {
    const [port, hosts, store, redis, upstream, identity] = await Promise.all([
      runCheck('port', () => checkPort(settings)),
      runCheck('hosts', () => checkHosts(settings)),
      runCheck('database', () => checkDatabase(settings)),
      runCheck('Redis', () => checkRedis(settings)),
      runCheck('backend', () => checkUpstream(settings)),
      runCheck('sign-in', () => checkIdentity(settings)),
    ])
    return [
      ...(await runCheck('Node', () => checkNode(readRunningNodes(settings.DATA_DIR)))),
      ok('settings', 'all are valid'),
      ok('build', `${build.id}, built ${new Date(build.timestamp).toISOString()}`),
      checkMemory(settings),
      checkDisk(settings),
      checkClock(build, clocksOf([...store, ...upstream, ...identity])),
      ...port,
      ...hosts,
      ...(await runCheck('content', () => checkContent(settings, join(root, 'locales')))),
      ...(await runCheck('launch', () => checkLaunch(settings))),
      ...(await runCheck('statistics', () => checkOwnStatistics(settings))),
      ...store,
      ...(await runCheck('keys', () => checkKeys(settings, database))),
      ...(await runCheck('retention', () => checkRetention(settings, database))),
      ...(await runCheck('locations', () => checkLocations(settings))),
      ...redis,
      ...upstream,
      ...identity,
    ]
  } finally {
    await database.close()
  }
}

const labels = { ok: 'ok   ', note: 'note ', wrong: 'WRONG' } as const
function print({ topic, level, message, fix }: Finding): void {
  console.log(`${labels[level]}  ${topic.padEnd(10)} ${message}`)
  if (fix) console.log(`${' '.repeat(18)}-> ${fix}`)
}

async function main(): Promise<void> {
  restrictNewFiles()
  let settings: Settings
  try {
    settings = readProcessSettings(root, isOperatorKey)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const fix = 'correct it (.env.example explains every setting), then run the doctor again'
    print(problem('settings', error.message, fix))
    process.exitCode = 1
    return
  }
  const findings = await runChecks(settings)
  findings.forEach(print)
  const problems = findings.filter(({ level }) => level === 'wrong').length
  console.log(
    problems === 0
      ? '\nno problems found'
      : `\n${problems} ${problems === 1 ? 'problem' : 'problems'} found`,
  )
  process.exitCode = problems === 0 ? 0 : 1
}

void main()
