// `npm run deploy:reload`: installs and builds what is missing, then has PM2 start the site, or replace its processes one after the other without losing a
// request. `-- --build ID` goes back to (or on to) a build that is still there. Arguments after that are PM2's.
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, checkNode, install, run } from './prepare.mjs'
import { builds, deploy } from './deployed-build.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const args = process.argv.slice(2)
const at = args.indexOf('--build')
const [, wished] = at < 0 ? [] : args.splice(at, 2)

checkNode()
install(root)
if (at >= 0 && !builds(root).includes(wished)) {
  console.error(`there is no build ${wished ?? '(which one?)'}; there are ${builds(root).join(', ') || 'none'}`)
  process.exit(1)
}
const id = wished ?? basename(build(root))
deploy(root, id)
console.log(`build ${id}`)
run(process.execPath, [join(root, 'node_modules', 'pm2', 'bin', 'pm2'), 'startOrReload', join(root, 'ecosystem.config.js'), '--update-env', ...args], { cwd: root })
