// `npm run content:compile`: brings the compiled content in DATA_DIR up to date with CONTENT_DIR
// and locales/, and prints what changed.
// `npm run check:content` (--check): compiles everything into a temporary folder, and exits with 1
// if a file was left out or has problems. `npm test` has compiled everything into CONTENT_SEED
// already.
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { build } from './prepare.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const buildFolder = build(root)
const { compiler, routes } = JSON.parse(readFileSync(join(buildFolder, 'build.json'), 'utf8'))
const contentDir = resolve(root, process.env.CONTENT_DIR || 'content')
const isCheck = process.argv.includes('--check')
const seed = isCheck ? process.env.CONTENT_SEED : undefined
const temporary = isCheck && !seed ? mkdtempSync(join(tmpdir(), 'check-content-')) : null
const dataDir = seed ?? temporary ?? resolve(root, process.env.DATA_DIR || 'data')
const args = [
  join(buildFolder, 'server', 'content.js'),
  '--once',
  ...['--content', contentDir],
  ...['--locales', join(root, 'locales')],
  ...['--public', join(root, 'public')],
  ...['--data', dataDir],
  ...['--compiler', compiler],
  ...['--routes', routes],
  ...(isCheck ? ['--check'] : []),
]
const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
if (temporary) rmSync(temporary, { recursive: true, force: true })
process.exitCode = status ?? 1
