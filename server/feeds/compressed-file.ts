import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/** A generated file, compressed with gzip. */
export type CompressedFile = {
  /**
   * Yields the file from its first chunk on, also while it is still being made. Throws when making
   * it fails.
   */
  read: () => AsyncGenerator<Buffer>
  /**
   * Null until the file is finished. `text` is null for a long text, of which only `compressed` is
   * kept.
   */
  whole: () => { compressed: Buffer; text: Buffer | null } | null
  /** Resolves to its size in memory when it is complete. Rejects when making it fails. */
  done: Promise<number>
}

/** Longer texts are kept compressed only, and are decompressed for each client that needs that. */
const maxTextBytes = 1024 * 1024

/** Passes chunks on, and keeps them while they are short together. */
function createTextKeeper() {
  let kept: Buffer[] | null = []
  let size = 0
  return {
    *keep(chunks: Iterable<string>): Generator<Buffer> {
      for (const chunk of chunks) {
        const bytes = Buffer.from(chunk)
        size += bytes.length
        if (size > maxTextBytes) kept = null
        kept?.push(bytes)
        yield bytes
      }
    },
    take: (): Buffer | null => kept && Buffer.concat(kept),
  }
}

/**
 * Makes a file once for any number of readers, who may begin before it is complete. It does not
 * wait for slow readers. Compressing runs in another thread, and other requests run in between.
 */
export function compressFile(source: Iterable<string>): CompressedFile {
  let chunks: Buffer[] = []
  const keeper = createTextKeeper()
  let whole: ReturnType<CompressedFile['whole']> = null
  let wakeReaders = (): void => undefined
  let changed = Promise.resolve()

  function announce(): void {
    wakeReaders()
    changed = new Promise((resolve) => (wakeReaders = resolve))
  }

  async function make(): Promise<number> {
    try {
      await pipeline(
        // Holds one chunk of text: memory does not grow with the number of articles.
        Readable.from(keeper.keep(source), { highWaterMark: 1 }),
        createGzip(),
        async (compressed: AsyncIterable<Buffer>) => {
          for await (const chunk of compressed) {
            chunks.push(chunk)
            announce()
          }
        },
      )
      whole = { compressed: Buffer.concat(chunks), text: keeper.take() }
      // A reader that began earlier still has the list of chunks; later ones get the whole file.
      chunks = []
      return whole.compressed.length + (whole.text?.length ?? 0)
    } finally {
      announce()
    }
  }

  announce()
  const done = make()
  // Readers report the error.
  done.catch(() => undefined)

  return {
    done,
    whole: () => whole,
    async *read() {
      const list = whole ? [whole.compressed] : chunks
      for (let index = 0; ; index += 1) {
        while (index >= list.length && !whole) await Promise.race([changed, done])
        const chunk = list[index]
        if (!chunk) return
        yield chunk
      }
    },
  }
}
