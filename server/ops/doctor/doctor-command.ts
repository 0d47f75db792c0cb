/** `npm run doctor`: looks at everything that the site depends on, says in plain words what is wrong and what to do. Runs as a built bundle, `server/doctor.js`. */
import { join, resolve } from 'node:path'
import { isOperatorKey } from '../../api/operator-key'
import { readBuild } from '../../build-info'
import { openDatabase } from '../../db/database'
import { processSettings, SettingsError, type Settings } from '../../env'
import { createLogger } from '../../telemetry/logger'
import { runningNodes } from '../metrics/running-nodes'
import { checkContent } from './check-content'
import { checkClock, checkDisk, checkMemory, checkNode } from './check-machine'
import { checkHosts, checkPort } from './check-network'
import { checkIdentity, checkUpstream, type Asked } from './check-services'
import { checkDatabase, checkKeys, checkRedis } from './check-stores'
import { attempt, ok, wrong, type Finding } from './finding'

const buildFolder = resolve(__dirname, '..')
const root = resolve(buildFolder, '..', '..')

async function findings(settings: Settings): Promise<Finding[]> {
  const build = readBuild(buildFolder)
  const database = openDatabase({
    url: settings.DATABASE_URL,
    script: join(buildFolder, 'server', 'sqlite-worker.js'),
    log: createLogger('silent'),
  })
  try {
    const [port, hosts, store, redis, upstream, identity] = await Promise.all([
      attempt(
        () => checkPort(settings),
        (finding) => finding,
        'port',
      ),
      attempt(
        () => checkHosts(settings),
        (finding) => [finding],
        'hosts',
      ),
      attempt(
        () => checkDatabase(settings),
        (finding) => ({ finding, offset: null }),
        'database',
      ),
      attempt(
        () => checkRedis(settings),
        (finding) => finding,
        'Redis',
      ),
      attempt(
        () => checkUpstream(settings),
        (finding) => [{ finding, offset: null }],
        'backend',
      ),
      attempt(
        () => checkIdentity(settings),
        (finding) => [{ finding, offset: null }],
        'sign-in',
      ),
    ])
    const content = await attempt(
      () => checkContent(settings, join(root, 'locales')),
      (finding) => finding,
      'content',
    )
    const node = await attempt(
      () => checkNode(runningNodes(settings.DATA_DIR)),
      (finding) => finding,
      'Node',
    )
    const keys = await attempt(
      () => checkKeys(settings, database),
      (finding) => [finding],
      'keys',
    )
    const asked: Array<{ name: string; offset: number | null }> = [
      { name: 'the database', offset: store.offset },
      ...[...upstream, ...identity].map(({ finding, offset }: Asked) => ({
        name: `the ${finding.about === 'sign-in' ? 'identity provider' : 'backend'}`,
        offset,
      })),
    ]
    const clocks = [
      ...new Map(
        asked.flatMap(({ name, offset }) =>
          offset === null ? [] : [[name, { name, offset }] as const],
        ),
      ).values(),
    ]
    return [
      node,
      ok('settings', 'are all accepted'),
      ok('build', `${build.id}, made ${new Date(build.timestamp).toISOString()}`),
      checkMemory(settings),
      checkDisk(settings),
      checkClock(build, clocks),
      port,
      ...hosts,
      content,
      store.finding,
      ...keys,
      redis,
      ...[...upstream, ...identity].map(({ finding }) => finding),
    ]
  } finally {
    await database.close()
  }
}

const signs = { ok: 'ok   ', note: 'note ', wrong: 'WRONG' } as const
function print({ about, level, says, todo }: Finding): void {
  console.log(`${signs[level]}  ${about.padEnd(10)} ${says}`)
  if (todo) console.log(`${' '.repeat(18)}-> ${todo}`)
}

async function main(): Promise<void> {
  let settings: Settings
  try {
    settings = processSettings(root, isOperatorKey)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    print(
      wrong(
        'settings',
        error.message,
        'mend it; .env.example explains all settings. The rest is looked at then.',
      ),
    )
    process.exitCode = 1
    return
  }
  const all = await findings(settings)
  all.forEach(print)
  const bad = all.filter(({ level }) => level === 'wrong').length
  console.log(
    bad === 0 ? '\nnothing is wrong' : `\n${bad} ${bad === 1 ? 'thing is' : 'things are'} wrong`,
  )
  process.exitCode = bad === 0 ? 0 : 1
}

void main()
