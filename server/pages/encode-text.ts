/** A longer text is encoded on its own, so that its buffer is not kept. */
const maxLength = 256 * 1024
/** UTF-8 takes at most three bytes for a UTF-16 unit. */
const bytesPerUnit = 3

/** Texts are encoded into it one after the other. */
let shared = Buffer.alloc(0)

/**
 * The parts of a text as UTF-8: the same bytes as `Buffer.from(parts.join(''))`, in less time.
 * `Buffer.from` first reads the whole text to count its bytes. This function writes into a shared
 * buffer that is always large enough, and copies what was written.
 *
 * The parts are not joined before. V8 joins texts when they are first read, and above 64K UTF-16
 * units it allocates the joined text outside the space for new objects, which takes many times as
 * long (bench/notes/render-time.md).
 */
export function encodeText(...parts: readonly string[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  if (length > maxLength) return Buffer.from(parts.join(''))
  if (shared.length < length * bytesPerUnit) shared = Buffer.allocUnsafeSlow(length * bytesPerUnit)
  const size = parts.reduce((written, part) => written + shared.write(part, written), 0)
  return Buffer.from(shared.subarray(0, size))
}
