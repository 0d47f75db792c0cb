import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { CompressedForms, Compressible, CompressJob } from './background-jobs'
import type { StoredAnswer } from './stored-answer'

/**
 * Level 5 takes about a millisecond. Level 11 takes about a hundred and saves some percent of the
 * bytes.
 */
const brotliLevel = 5
const hotBrotliLevel = 11

const compressBrotli = (body: Uint8Array, quality: number): Buffer =>
  brotliCompressSync(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  })

/** Blocks its thread, so the site runs it in the background thread. */
export function compressBody(job: CompressJob): CompressedForms {
  const { body } = job
  if (job.kind === 'compressHot') return { br: compressBrotli(body, hotBrotliLevel) }
  return {
    ...(job.encodings.includes('br') && { br: compressBrotli(body, brotliLevel) }),
    ...(job.encodings.includes('gzip') && { gzip: gzipSync(body, { level: 6 }) }),
  }
}

export const compressJob = ({ body, encoded }: Compressible): CompressJob => ({
  kind: 'compress',
  body,
  encodings: (['br', 'gzip'] as const).filter((encoding) => !encoded[encoding]),
})

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

/** The forms of an answer with those that a job has made. */
export function withForms(
  { encoded }: Compressible,
  { kind }: CompressJob,
  { br, gzip }: CompressedForms,
): StoredAnswer['encoded'] {
  return {
    ...encoded,
    ...(br && { br: { body: bufferOf(br), etagSuffix: kind === 'compressHot' ? 'br11' : 'br' } }),
    ...(gzip && { gzip: { body: bufferOf(gzip), etagSuffix: 'gzip' } }),
  }
}
