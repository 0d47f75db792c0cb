/** `npm run build`: all bundles into `dist/{build id}`, complete or not at all. */
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import webpack from 'webpack'
import config from '../webpack.config'
import { buildFacts } from './build-facts'
import { buildId } from './build-id.mjs'
import { encodeStarterImages } from './encode-starter-images'
import { writeViewBoxes } from './icon-view-boxes'

const root = resolve(__dirname, '..')
/** Builds kept: open tabs and a way back need those before this one. */
const keptBuilds = 3

/** Builds that lie there already, this one's place included. */
const keptFolders = (dist: string): string[] =>
  readdirSync(dist)
    .filter((name) => !name.startsWith('.'))
    .map((name) => join(dist, name))

function run(folder: string): Promise<void> {
  return new Promise((done, fail) => {
    webpack(config({ root, folder, mode: 'production' }), (error, stats) => {
      if (error || !stats) return fail(error ?? new Error('webpack gave no result'))
      const text = stats.toString({ preset: 'errors-warnings', colors: process.stdout.isTTY })
      if (text.trim()) console.log(text)
      if (stats.hasErrors()) return fail(new Error('the build failed'))
      done()
    })
  })
}

async function build(): Promise<void> {
  // A source file made from other source files: before the id, which counts it.
  writeViewBoxes(root)
  const id = buildId(root)
  const dist = join(root, 'dist')
  const target = join(dist, id)
  const work = join(dist, `.${id}.${process.pid}`)
  mkdirSync(work, { recursive: true })
  try {
    await run(work)
    const { made, reused } = await encodeStarterImages({
      content: join(root, 'content'),
      target: join(work, 'images'),
      script: join(work, 'server', 'encoder.js'),
      older: keptFolders(dist),
    })
    console.log(`pictures: ${made} made, ${reused} kept from an older build`)
    writeFileSync(join(work, 'build.json'), JSON.stringify(buildFacts(root, id)))
    rmSync(target, { recursive: true, force: true })
    renameSync(work, target)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  const old = readdirSync(dist)
    .filter((name) => !name.startsWith('.') && name !== id)
    .sort((a, b) => statSync(join(dist, b)).mtimeMs - statSync(join(dist, a)).mtimeMs)
    .slice(keptBuilds)
  for (const name of old) rmSync(join(dist, name), { recursive: true, force: true })
  console.log(`built ${id}`)
}

build().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
