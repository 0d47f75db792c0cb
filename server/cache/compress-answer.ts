import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { EncodedForm, StoredAnswer } from './stored-answer'

const brotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/**
 * Level 5 takes about a millisecond. Level 11 takes about a hundred and saves some percent of the
 * bytes.
 */
const brotliLevel = 5
const hotBrotliLevel = 11

const compressBrotli = (body: Buffer, quality: number): Promise<Buffer> =>
  brotli(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  })

/**
 * Both compressed forms, compressed off the main thread. A Brotli form that the answer has already
 * is kept.
 */
export async function compressAnswer({
  body,
  encoded,
}: StoredAnswer): Promise<{ br: EncodedForm; gzip: EncodedForm }> {
  const [br, gzipBody] = await Promise.all([
    encoded.br ??
      compressBrotli(body, brotliLevel).then((brBody): EncodedForm => ({
        body: brBody,
        etagSuffix: 'br',
      })),
    compressGzip(body, { level: 6 }),
  ])
  return { br, gzip: { body: gzipBody, etagSuffix: 'gzip' } }
}

/** The smallest Brotli form, for an answer with so many hits that the compression pays off. */
export const recompressHot = async ({ body }: StoredAnswer): Promise<EncodedForm> => ({
  body: await compressBrotli(body, hotBrotliLevel),
  etagSuffix: 'br11',
})
