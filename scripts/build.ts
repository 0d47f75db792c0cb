/** `npm run build`: builds the site into `dist/{build id}`. A failed build leaves nothing there. */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import webpack from 'webpack'
import config from '../webpack.config'
import { collectBuildFacts } from './build-facts'
import { buildId } from './build-id.mjs'
import { deleteOldBuilds } from './deployed-build.mjs'
import { encodeStarterImages } from './encode-starter-images'
import { writeViewBoxes } from './icon-view-boxes'
import { writeNamespaces } from './write-namespaces'

const root = resolve(__dirname, '..')
/** Folders of complete builds. Names of unfinished builds start with a dot. */
const listBuildFolders = (dist: string): string[] =>
  readdirSync(dist)
    .filter((name) => !name.startsWith('.'))
    .map((name) => join(dist, name))

function runWebpack(folder: string): Promise<void> {
  return new Promise((done, fail) => {
    const compiler = webpack(config({ root, folder, mode: 'production' }), (error, stats) => {
      if (error || !stats) return fail(error ?? new Error('webpack returned no result'))
      const text = stats.toString({ preset: 'errors-warnings', colors: process.stdout.isTTY })
      if (text.trim()) console.log(text)
      if (stats.hasErrors()) return fail(new Error('the build failed'))
      // Closing writes webpack's cache to disk.
      compiler?.close((closeError) => (closeError ? fail(closeError) : done()))
    })
  })
}

async function build(): Promise<void> {
  // Generated source files come before the build id, which is a hash of all sources.
  writeViewBoxes(root)
  writeNamespaces(root)
  const id = buildId(root)
  const dist = join(root, 'dist')
  const target = join(dist, id)
  const workFolder = join(dist, `.${id}.${process.pid}`)
  mkdirSync(workFolder, { recursive: true })
  try {
    await runWebpack(workFolder)
    const { encoded, reused } = await encodeStarterImages({
      contentFolder: join(root, 'content'),
      targetFolder: join(workFolder, 'images'),
      encoderScript: join(workFolder, 'server', 'encoder.js'),
      olderBuilds: listBuildFolders(dist),
    })
    console.log(`images: ${encoded} encoded, ${reused} reused from an older build`)
    writeFileSync(join(workFolder, 'build.json'), JSON.stringify(collectBuildFacts(root, id)))
    rmSync(target, { recursive: true, force: true })
    renameSync(workFolder, target)
  } finally {
    rmSync(workFolder, { recursive: true, force: true })
  }
  deleteOldBuilds(root, id)
  console.log(`built ${id}`)
}

build().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
