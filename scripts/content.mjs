// `npm run content:compile`: brings DATA_DIR/content.db up to date with CONTENT_DIR and locales/, prints what was done.
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readFileSync } from 'node:fs'
import { build, checkNode, install, run } from './prepare.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
checkNode()
install(root)
const folder = build(root)
const { compiler } = JSON.parse(readFileSync(join(folder, 'build.json'), 'utf8'))
const content = resolve(root, process.env.CONTENT_DIR || 'content')
const database = join(resolve(root, process.env.DATA_DIR || 'data'), 'content.db')
run(process.execPath, [join(folder, 'server', 'content.js'), '--once', '--content', content, '--locales', join(root, 'locales'), '--database', database, '--compiler', compiler], { shell: false })
