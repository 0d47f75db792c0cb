import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { z } from 'zod'
import type { StoredAnswer } from './stored-answer'

const decompress = promisify(brotliDecompress)

/** Identifies a copy of an answer outside the process. */
type CopyLabel = {
  key: string
  /** A hash of the build, the settings and the content that the answer was made with. */
  stamp: string
  /**
   * The number of the last purge before the answer was begun; 0 for copies on disk, which no purge
   * number applies to.
   */
  generation: number
}

/**
 * A copy is a line with a hash of all that follows, a line of JSON with this schema, and the Brotli
 * body. Other programs may have written to the disk or to Redis, so the hash and the schema are
 * checked when a copy is read.
 */
const header = z.object({
  key: z.string(),
  stamp: z.string(),
  generation: z.number().int().nonnegative(),
  status: z.literal(200),
  headers: z.record(z.string(), z.string()),
  etag: z.string(),
  storedAt: z.number().int().positive(),
  tags: z.array(z.string()),
  route: z.string(),
  locale: z.string(),
  negotiated: z.boolean(),
  queryMatters: z.boolean(),
})

/** The site makes no larger body, so a larger one is refused. */
const maxBodyBytes = 16 * 1024 * 1024
const lineFeed = 10

/** 32 hex digits of a hash. Checks copies, and names them on disk and in Redis. */
export const shortHash = (...parts: ReadonlyArray<string | Buffer>): string =>
  parts
    .reduce((hash, part) => hash.update(part), createHash('sha256'))
    .digest('hex')
    .slice(0, 32)

/** The bytes of a copy; null for an answer that is not a 200 or is not compressed yet. */
export function packAnswer(
  label: CopyLabel,
  { body: _body, encoded: { br }, status, ...rest }: StoredAnswer,
): Buffer | null {
  if (!br || status !== 200) return null
  const fields: z.infer<typeof header> = {
    ...rest,
    ...label,
    status,
    headers: { ...rest.headers },
    tags: [...rest.tags],
  }
  const line = Buffer.from(`${JSON.stringify(fields)}\n`)
  return Buffer.concat([Buffer.from(`${shortHash(line, br.body)}\n`), line, br.body])
}

/** Reads a copy. Null when it has another key or stamp. Throws when the bytes are damaged. */
export async function unpackAnswer(
  bytes: Buffer,
  { key, stamp }: Pick<CopyLabel, 'key' | 'stamp'>,
): Promise<{ answer: StoredAnswer; generation: number } | null> {
  const start = bytes.indexOf(lineFeed) + 1
  const end = bytes.indexOf(lineFeed, start)
  const rest = bytes.subarray(start)
  if (start === 0 || end < 0 || bytes.toString('latin1', 0, start - 1) !== shortHash(rest))
    throw new Error('a copy of an answer is damaged')
  const fields = header.parse(JSON.parse(bytes.toString('utf8', start, end)))
  if (fields.key !== key || fields.stamp !== stamp) return null
  const { key: _key, stamp: _stamp, generation, ...answer } = fields
  const br = bytes.subarray(end + 1)
  return {
    generation,
    answer: {
      ...answer,
      body: await decompress(br, { maxOutputLength: maxBodyBytes }),
      encoded: { br: { body: br, etagSuffix: 'br' } },
    },
  }
}
