/**
 * Encodes the covers of the starter articles during the build, in every width and format that pages
 * offer, so that the first visitors do not wait for them. Their keys are computed from the content:
 * a cover that an author replaces is encoded on its first request.
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
import { isPictureFile } from '../server/content/compile/read-picture'
import { createEncoderPool, type EncodeRequest } from '../server/images/encoder-pool'
import { inspectImage } from '../server/images/local-sources'
import { variantKey } from '../server/images/image-service'
import { parseTarget } from '../server/images/parse-target'
import { variantPath } from '../server/images/variant-store'
import { createLogger } from '../server/telemetry/logger'

type Variant = { key: string; job: EncodeRequest }
type Options = {
  contentFolder: string
  targetFolder: string
  encoderScript: string
  /** Folders of older builds, whose images are copied where they are the same. */
  olderBuilds: readonly string[]
}

const listFolders = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

/** Paths of all covers, relative to the content folder. */
const listCovers = (contentFolder: string): string[] =>
  listFolders(contentFolder).flatMap((collection) =>
    listFolders(join(contentFolder, collection)).flatMap((id) =>
      readdirSync(join(contentFolder, collection, id))
        .filter((name) => name.startsWith('cover.') && isPictureFile(name))
        .map((name) => `${collection}/${id}/${name}`),
    ),
  )

/** Every URL in the `<picture>` elements of a cover. */
const urlsOf = (picture: Picture): string[] =>
  Object.values(coverUses).flatMap((use) => {
    const { sources, src } = pictureSources(picture, use)
    const candidates = sources.flatMap(({ srcSet }) => srcSet.split(', '))
    return [src, ...candidates.map((candidate) => candidate.split(' ')[0] ?? '')]
  })

/** The variants of a cover, with the keys under which the image service looks them up. */
function variantsOf(contentFolder: string, path: string): Variant[] {
  const bytes = readFileSync(join(contentFolder, path))
  const { hash, width: sourceWidth, height, format: sourceFormat } = inspectImage(bytes)
  if (sourceFormat === 'svg') return []
  const picture: Picture = {
    provider: 'content',
    source: path,
    width: sourceWidth,
    height,
    version: hash.slice(0, 12),
  }
  return urlsOf(picture).map((url) => {
    const { variant } = parseTarget(url.slice('/_image'.length))
    const { quality } = variant
    const format =
      variant.format === 'source' || variant.format === 'auto' ? sourceFormat : variant.format
    const width = Math.min(variant.width ?? sourceWidth, sourceWidth)
    return {
      key: variantKey({ hash, width: sourceWidth }, { width, format, quality }),
      job: { bytes, width: width === sourceWidth ? null : width, format, quality },
    }
  })
}

/** Encodes all covers, one job per core. Returns how many were encoded and how many copied. */
export async function encodeStarterImages({
  contentFolder,
  targetFolder,
  encoderScript,
  olderBuilds,
}: Options): Promise<{ encoded: number; reused: number }> {
  const variants = listCovers(contentFolder).flatMap((path) => variantsOf(contentFolder, path))
  const jobs = [...new Map(variants.map(({ key, job }) => [key, job]))]
  const pool = createEncoderPool({ encoderScript, log: createLogger('error') })
  const count = { encoded: 0, reused: 0 }

  async function encodeNext(): Promise<void> {
    for (let next = jobs.shift(); next; next = jobs.shift()) {
      const [key, job] = next
      const path = variantPath(targetFolder, key)
      mkdirSync(dirname(path), { recursive: true })
      const existing = olderBuilds
        .map((build) => variantPath(join(build, 'images'), key))
        .find((file) => existsSync(file))
      if (existing) {
        copyFileSync(existing, path)
        count.reused += 1
      } else {
        writeFileSync(path, await pool.encode(job, imageLimits.encodeTimeoutMs))
        count.encoded += 1
      }
    }
  }
  mkdirSync(targetFolder, { recursive: true })
  try {
    await Promise.all(cpus().map(encodeNext))
  } finally {
    await pool.close()
  }
  return count
}
