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
 * It is faster for two reasons. `Buffer.from` reads the whole text first, to count its bytes; here
 * the parts are written into a shared buffer that is always large enough, and the result is copied
 * from there. And the parts are never joined: a joined text of more than 64K UTF-16 units would be
 * one of V8's large objects, and making one takes many times as long (bench/notes/render-time.md).
 */
export function encodeText(...parts: readonly string[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  if (length > maxLength) return Buffer.from(parts.join(''))
  if (shared.length < length * bytesPerUnit) shared = Buffer.allocUnsafeSlow(length * bytesPerUnit)
  const size = parts.reduce((written, part) => written + shared.write(part, written), 0)
  return Buffer.from(shared.subarray(0, size))
}
