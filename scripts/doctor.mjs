// `npm run doctor`: what can be said without packages or a build is said here, the rest by the built `server/doctor.js`.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildId } from './build-id.mjs'
import { builds, deployedBuild } from './deployed-build.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

function wrong(about, says, todo) {
  console.log(`WRONG  ${about.padEnd(10)} ${says}\n${' '.repeat(18)}-> ${todo}`)
  process.exit(1)
}

if (!existsSync(join(root, 'node_modules', '.package-lock.json')))
  wrong('packages', 'are not installed', 'npm ci --include=dev')
const present = existsSync(join(root, 'client')) ? buildId(root) : null
const id = present !== null && builds(root).includes(present) ? present : deployedBuild(root)
if (id === null) wrong('build', 'there is none', 'npm run build')
if (present !== null && id !== present)
  console.log(
    `note   build      the sources are newer than the build ${id}\n${' '.repeat(18)}-> npm run build, or npm run deploy:reload under PM2`,
  )
const { status } = spawnSync(process.execPath, [join(root, 'dist', id, 'server', 'doctor.js')], {
  stdio: 'inherit',
  cwd: root,
})
process.exitCode = status ?? 1
