// `npm start`: installs and builds what is missing, then serves in production mode in this very process.
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { enableCompileCache } from './compile-cache.mjs'
import { build } from './prepare.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const folder = build(root)
process.env.NODE_ENV ??= 'production'
process.chdir(root)
enableCompileCache(root, basename(folder))
createRequire(import.meta.url)(join(folder, 'server', 'main.js'))
