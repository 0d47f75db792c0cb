// For PM2, systemd and containers: serves the deployed build in this process. Installs and builds
// nothing.
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { enableCompileCache } from './compile-cache.mjs'
import { deployedBuild, namedBuild } from './deployed-build.mjs'
import supported from './supported-node.cjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
if (!supported.isSupported(process.version)) {
  console.error(
    `Node ${process.versions.node} cannot run this site: start it with node_modules/.bin/node`,
  )
  process.exit(1)
}
const id = deployedBuild(root)
if (id === null) {
  console.error('there is no build: run "npm run build", or "npm run deploy:reload" under PM2')
  process.exit(1)
}
const named = namedBuild(root)
if (named !== '' && named !== id)
  console.error(`dist/.current names build ${named}, which is missing: serving ${id}`)
process.env.NODE_ENV ??= 'production'
process.chdir(root)
enableCompileCache(root, id)
createRequire(import.meta.url)(join(root, 'dist', id, 'server', 'main.js'))
