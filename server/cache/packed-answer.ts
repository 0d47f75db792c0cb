import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { z } from 'zod'
import type { StoredAnswer } from './stored-answer'

const unpack = promisify(brotliDecompress)

/** What a copy says of itself: its key, what it was made with (`stamp`), and the number of the last purge before it was begun (0 where nobody asks). */
export type CopyLabel = { key: string; stamp: string; generation: number }

/**
 * Second line of a copy; the first is a hash of all that follows, the Brotli body comes last. It is read back from places that others may have
 * written to, so nothing of it is believed unseen.
 */
const head = z.object({
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

/** A body that unpacks to more than this is none of ours (bytes). */
const longestBody = 16 * 1024 * 1024
const newline = 10

/** Names a file or a key of another store, too. */
export const shortHash = (...parts: ReadonlyArray<string | Buffer>): string =>
  parts
    .reduce((hash, part) => hash.update(part), createHash('sha256'))
    .digest('hex')
    .slice(0, 32)

/** An answer as bytes that leave the process; null for what is no page, or is not compressed yet. */
export function packAnswer(
  label: CopyLabel,
  { body: _body, encoded: { br }, status, ...rest }: StoredAnswer,
): Buffer | null {
  if (!br || status !== 200) return null
  const line = Buffer.from(
    `${JSON.stringify({ ...rest, ...label, status, headers: { ...rest.headers }, tags: [...rest.tags] } satisfies z.infer<typeof head>)}\n`,
  )
  return Buffer.concat([Buffer.from(`${shortHash(line, br.body)}\n`), line, br.body])
}

/** The answer in such bytes, or null when it is of another key or stamp. Throws when they are damaged. */
export async function unpackAnswer(
  bytes: Buffer,
  { key, stamp }: Pick<CopyLabel, 'key' | 'stamp'>,
): Promise<{ answer: StoredAnswer; generation: number } | null> {
  const start = bytes.indexOf(newline) + 1
  const end = bytes.indexOf(newline, start)
  const rest = bytes.subarray(start)
  if (start === 0 || end < 0 || bytes.toString('latin1', 0, start - 1) !== shortHash(rest))
    throw new Error('a copy of an answer is damaged')
  const {
    key: ownKey,
    stamp: ownStamp,
    generation,
    ...said
  } = head.parse(JSON.parse(bytes.toString('utf8', start, end)))
  if (ownKey !== key || ownStamp !== stamp) return null
  const br = bytes.subarray(end + 1)
  return {
    generation,
    answer: {
      ...said,
      body: await unpack(br, { maxOutputLength: longestBody }),
      encoded: { br: { body: br, validator: 'br' } },
    },
  }
}
