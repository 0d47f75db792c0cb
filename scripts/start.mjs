// `npm start`: builds if necessary, then serves in production mode in this process. run.mjs has
// installed the packages.
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { enableCompileCache } from './compile-cache.mjs'
import { build } from './prepare.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const buildFolder = build(root)
process.env.NODE_ENV ??= 'production'
process.chdir(root)
enableCompileCache(root, basename(buildFolder))
createRequire(import.meta.url)(join(buildFolder, 'server', 'main.js'))
