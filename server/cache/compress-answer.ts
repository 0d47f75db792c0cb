import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { EncodedForm, StoredAnswer } from './stored-answer'

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** Brotli right after the answer, and once a page is hot: 5 costs about a millisecond, 11 about a hundred for some percent fewer bytes. */
const moderate = 5
const highest = 11

const brotliAt = (body: Buffer, quality: number): Promise<Buffer> =>
  brotli(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  })

/** Both compressed forms, made off the main thread; one that came with the answer stays. */
export async function compressAnswer({
  body,
  encoded,
}: StoredAnswer): Promise<{ br: EncodedForm; gzip: EncodedForm }> {
  const [br, gz] = await Promise.all([
    encoded.br ??
      brotliAt(body, moderate).then((made): EncodedForm => ({ body: made, validator: 'br' })),
    gzipped(body, { level: 6 }),
  ])
  return { br, gzip: { body: gz, validator: 'gzip' } }
}

/** The smallest Brotli form: for what is asked for so often that its making pays. */
export const compressHard = async ({ body }: StoredAnswer): Promise<EncodedForm> => ({
  body: await brotliAt(body, highest),
  validator: 'br11',
})
