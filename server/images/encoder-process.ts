/**
 * A child process that decodes and encodes images, one at a time. Images may come from outside: one
 * that crashes the decoder ends only this process, and its memory is returned when the process
 * exits.
 */
import { constants, getPriority, setPriority } from 'node:os'
import sharp, { type Sharp } from 'sharp'
import { imageLimits } from '../../shared/constants'
import type { EncodeJob, EncodeOutcome } from './encode-job'

// No image is decoded twice here, and the other cores serve pages.
sharp.cache(false)
sharp.concurrency(1)
// Pages go first. Not the lowest priority: on a busy machine, encoding would then never finish.
// A site that was started with a lower priority keeps it.
if (getPriority() < constants.priority.PRIORITY_BELOW_NORMAL)
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
// Enable only the decoders of formats that the server detects by their first bytes, so that a file
// cannot be one format to the server and another one to the decoder.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Svg'].map(
    (name) => `VipsForeignLoad${name}Buffer`,
  ),
})

/** The default effort takes seven times as long at quality 100, for the same number of bytes. */
const avifEffort = (pixels: number): number => (pixels > 2_000_000 ? 1 : 2)

function toFormat(image: Sharp, { format, quality }: EncodeJob, pixels: number): Sharp {
  switch (format) {
    case 'avif':
      return image.avif({ quality, effort: avifEffort(pixels) })
    case 'webp':
      return image.webp({ quality })
    case 'jpeg':
      return image.jpeg({ quality, mozjpeg: quality < 100 })
    case 'png':
      return image.png({ compressionLevel: 9 })
    case 'gif':
      return image.gif()
  }
}

async function encode(job: EncodeJob): Promise<EncodeOutcome> {
  const bytes = Buffer.from(job.bytes)
  // Without the `pages` option sharp reads only the first frame of an animation.
  const options = {
    limitInputPixels: imageLimits.maxPixels,
    failOn: 'truncated',
    sequentialRead: true,
  } as const
  const { width, height } = await sharp(bytes, { ...options, limitInputPixels: false }).metadata()
  if (width * height > imageLimits.maxPixels) return { id: job.id, failure: 'imageTooLarge' }
  const resized = sharp(bytes, options)
    .autoOrient()
    .timeout({ seconds: imageLimits.encodeTimeoutMs / 1000 })
    .resize({
      ...(job.width === null ? {} : { width: job.width }),
      height: imageLimits.maxHeightPx,
      fit: 'inside',
      withoutEnlargement: true,
    })
  const scale = Math.min(1, job.width === null ? 1 : job.width / Math.max(width, 1))
  const result = await toFormat(resized, job, width * height * scale * scale).toBuffer()
  return { id: job.id, bytes: result }
}

process.on('message', (job: EncodeJob) => {
  encode(job)
    .catch((error: unknown): EncodeOutcome => ({
      id: job.id,
      failure: 'notAnImage',
      reason: error instanceof Error ? error.message : String(error),
    }))
    .then((outcome) => process.send?.(outcome))
    .catch(() => process.exit(1))
})
// The channel closes when the server exits, even when it was killed.
process.on('disconnect', () => process.exit(0))
// Ctrl-C in a terminal reaches this process too. The server ends it when running jobs are done.
process.on('SIGINT', () => undefined)
