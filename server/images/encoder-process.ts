/**
 * A process that decodes and encodes pictures for a server, one at a time. What it reads comes from outside: a file that
 * ends a decoder ends this process and no other, its memory goes back when it rests, and pages come before it.
 */
import { constants, getPriority, setPriority } from 'node:os'
import sharp, { type Sharp } from 'sharp'
import { imageLimits } from '../../shared/constants'
import type { EncodeJob, EncodeOutcome } from './encode-job'

// Nothing is asked for twice, and the other cores have pages to serve.
sharp.cache(false)
sharp.concurrency(1)
// Not the lowest of all: beside other busy programs that would mean never. Whoever started the site lower is obeyed.
if (getPriority() < constants.priority.PRIORITY_BELOW_NORMAL)
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
// Only the formats that the server knows by their first bytes: a file that two readers see differently finds one here.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Svg'].map(
    (name) => `VipsForeignLoad${name}Buffer`,
  ),
})

/** Trap of this encoder: at its default effort a picture of quality 100 takes seven times as long for the same bytes. */
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
  // The first frame only: nothing here asks for further pages.
  const options = {
    limitInputPixels: imageLimits.pixels,
    failOn: 'truncated',
    sequentialRead: true,
  } as const
  const { width = 0, height = 0 } = await sharp(bytes, {
    ...options,
    limitInputPixels: false,
  }).metadata()
  if (width * height > imageLimits.pixels) return { id: job.id, failure: 'imageTooLarge' }
  const fitted = sharp(bytes, options)
    .autoOrient()
    .timeout({ seconds: imageLimits.encodeTimeout / 1000 })
    .resize({
      ...(job.width === null ? {} : { width: job.width }),
      height: imageLimits.height,
      fit: 'inside',
      withoutEnlargement: true,
    })
  const scale = Math.min(1, job.width === null ? 1 : job.width / Math.max(width, 1))
  const result = await toFormat(fitted, job, width * height * scale * scale).toBuffer()
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
// The parent's end closes the channel, even when it was killed.
process.on('disconnect', () => process.exit(0))
process.on('SIGINT', () => undefined)
