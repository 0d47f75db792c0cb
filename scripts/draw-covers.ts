/**
 * `npm run covers`: converts `scripts/covers/{id}.svg` to the `cover.png` of each starter article.
 * Run it after a change to a drawing; the covers are committed.
 */
import { existsSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import sharp from 'sharp'

const root = resolve(__dirname, '..')
const drawings = join(root, 'scripts', 'covers')

async function drawCovers(): Promise<void> {
  for (const file of readdirSync(drawings).filter((name) => name.endsWith('.svg'))) {
    const id = basename(file, '.svg')
    const folder = ['blog', 'news']
      .map((collection) => join(root, 'content', collection, id))
      .find((path) => existsSync(path))
    if (!folder) throw new Error(`there is no article with the id ${id}`)
    const { size } = await sharp(join(drawings, file))
      .png({ palette: true, colours: 64, dither: 0, effort: 10 })
      .toFile(join(folder, 'cover.png'))
    console.log(`${id}: ${size} bytes`)
  }
}

drawCovers().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
