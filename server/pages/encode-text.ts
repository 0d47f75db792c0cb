/** A longer text is encoded on its own, so that its buffer is not kept. */
const maxLength = 256 * 1024
/** UTF-8 takes at most three bytes for a UTF-16 unit. */
const bytesPerUnit = 3

/** Texts are encoded into it one after the other. */
let shared = Buffer.alloc(0)

/**
 * A text, given in parts, as UTF-8: equal to `Buffer.from(parts.join(''))`. No part may begin or
 * end within a surrogate pair.
 *
 * It is faster than that expression (bench/notes/render-time.md):
 * - The bytes are not counted first. `Buffer.from` reads the whole text once to learn how large its
 *   buffer must be. Here one large buffer is kept for all calls, and the result is copied from it.
 * - The parts are not joined. V8 takes much longer to join them when together they have more than
 *   64K UTF-16 units.
 */
export function encodeText(...parts: readonly string[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  if (length > maxLength) return Buffer.from(parts.join(''))
  if (shared.length < length * bytesPerUnit) shared = Buffer.allocUnsafeSlow(length * bytesPerUnit)
  const size = parts.reduce((written, part) => written + shared.write(part, written), 0)
  return Buffer.from(shared.subarray(0, size))
}
