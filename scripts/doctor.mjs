// `npm run doctor`: checks here what needs neither packages nor a build; the built
// `server/doctor.js` checks the rest.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildId } from './build-id.mjs'
import { deployedBuild, listBuilds } from './deployed-build.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

/** Prints a finding in the format of `server/doctor.js`. */
function print(label, topic, message, fix) {
  console.log(`${label}  ${topic.padEnd(10)} ${message}\n${' '.repeat(18)}-> ${fix}`)
}
function stop(topic, message, fix) {
  print('WRONG', topic, message, fix)
  process.exit(1)
}

if (!existsSync(join(root, 'node_modules', '.package-lock.json')))
  stop('packages', 'are not installed', 'npm ci')
// A container image has no sources.
const sourceId = existsSync(join(root, 'client')) ? buildId(root) : null
const id = sourceId !== null && listBuilds(root).includes(sourceId) ? sourceId : deployedBuild(root)
if (id === null) stop('build', 'there is no build', 'npm run build')
if (sourceId !== null && id !== sourceId)
  print(
    'note ',
    'build',
    `the sources are newer than the build ${id}`,
    'npm run build, or npm run deploy:reload under PM2',
  )
const doctor = join(root, 'dist', id, 'server', 'doctor.js')
const { status } = spawnSync(process.execPath, [doctor], { stdio: 'inherit', cwd: root })
process.exitCode = status ?? 1
