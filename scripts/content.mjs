// `npm run content:compile`: brings DATA_DIR/content-N.db up to date with CONTENT_DIR and locales/, prints what was done.
// `npm run check:content` (--check): compiles everything anew beside it and exits with 1 when anything was left out or reported.
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { build } from './prepare.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const folder = build(root)
const { compiler } = JSON.parse(readFileSync(join(folder, 'build.json'), 'utf8'))
const content = resolve(root, process.env.CONTENT_DIR || 'content')
const check = process.argv.includes('--check')
const scratch = check ? mkdtempSync(join(tmpdir(), 'check-content-')) : null
const data = scratch ?? resolve(root, process.env.DATA_DIR || 'data')
const options = [
  '--once',
  '--content',
  content,
  '--locales',
  join(root, 'locales'),
  '--public',
  join(root, 'public'),
  '--data',
  data,
  '--compiler',
  compiler,
  ...(check ? ['--check'] : []),
]
const { status } = spawnSync(process.execPath, [join(folder, 'server', 'content.js'), ...options], {
  stdio: 'inherit',
})
if (scratch) rmSync(scratch, { recursive: true, force: true })
process.exitCode = status ?? 1
