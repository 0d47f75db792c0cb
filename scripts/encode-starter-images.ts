/**
 * Makes the pictures of the starter articles when the site is built, in every width and format that a page offers, so
 * that a first visit waits for none. They are found by their content: an author's change makes others, when first seen.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { imageLimits } from '../shared/constants'
import { coverUses, pictureSources, type Picture } from '../shared/images'
import { isPictureFile } from '../server/content/compile/pictures'
import { createEncoderPool, type EncodeRequest } from '../server/images/encoder-pool'
import { examine } from '../server/images/local-files'
import { variantKey } from '../server/images/image-service'
import { parseTarget } from '../server/images/parse-target'
import { variantPath } from '../server/images/variant-store'
import { createLogger } from '../server/telemetry/logger'

type Wanted = { key: string; job: EncodeRequest }

/** Every address that a cover's `<picture>` offers. */
const addressesOf = (picture: Picture): string[] =>
  Object.values(coverUses).flatMap((use) => {
    const { sources, src } = pictureSources(picture, use)
    return [
      src,
      ...sources.flatMap(({ srcSet }) =>
        srcSet.split(', ').map((candidate) => candidate.split(' ')[0] ?? ''),
      ),
    ]
  })

function wantedOf(content: string, path: string): Wanted[] {
  const bytes = readFileSync(join(content, path))
  const { hash, width, height, format } = examine(bytes)
  if (format === 'svg') return []
  return addressesOf({
    provider: 'content',
    source: path,
    width,
    height,
    version: hash.slice(0, 12),
  }).map((address) => {
    const { variant } = parseTarget(address.slice('/_image'.length))
    const chosen = variant.format === 'own' || variant.format === 'auto' ? format : variant.format
    const asked = Math.min(variant.width ?? width, width)
    const job = {
      bytes,
      width: asked === width ? null : asked,
      format: chosen,
      quality: variant.quality,
    }
    return { key: variantKey({ hash, width }, { ...job, width: asked }), job }
  })
}

const foldersIn = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

/** `older`: folders of builds whose pictures may be taken over. */
export async function encodeStarterImages({
  content,
  target,
  script,
  older,
}: {
  content: string
  target: string
  script: string
  older: readonly string[]
}): Promise<{ made: number; reused: number }> {
  const covers = foldersIn(content).flatMap((collection) =>
    foldersIn(join(content, collection)).flatMap((id) =>
      readdirSync(join(content, collection, id))
        .filter((name) => name.startsWith('cover.') && isPictureFile(name))
        .map((name) => `${collection}/${id}/${name}`),
    ),
  )
  const wanted = new Map(
    covers.flatMap((path) => wantedOf(content, path)).map(({ key, job }) => [key, job]),
  )
  const pool = createEncoderPool({ script, log: createLogger('error') })
  const count = { made: 0, reused: 0 }
  const queue = [...wanted]
  mkdirSync(target, { recursive: true })

  async function work(): Promise<void> {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [key, job] = next
      const path = variantPath(target, key)
      mkdirSync(dirname(path), { recursive: true })
      const known = older
        .map((folder) => variantPath(join(folder, 'images'), key))
        .find((file) => existsSync(file))
      if (known) {
        copyFileSync(known, path)
        count.reused += 1
      } else {
        writeFileSync(path, await pool.encode(job, imageLimits.encodeTimeout))
        count.made += 1
      }
    }
  }
  try {
    await Promise.all(cpus().map(work))
  } finally {
    await pool.close()
  }
  return count
}
