/** A longer text is encoded on its own, so that its buffer is not kept. */
const maxLength = 256 * 1024
/** UTF-8 takes at most three bytes for a UTF-16 unit. */
const bytesPerUnit = 3

/** Texts are encoded into it one after the other. */
let shared = Buffer.alloc(0)

/**
 * A text as UTF-8. `Buffer.from` reads the text once more, to count its bytes. Encoding into a
 * buffer that is always large enough, and copying what was written, takes two thirds of the time
 * for a page with dashes.
 */
export function encodeText(text: string): Buffer {
  if (text.length > maxLength) return Buffer.from(text)
  if (shared.length < text.length * bytesPerUnit)
    shared = Buffer.allocUnsafeSlow(text.length * bytesPerUnit)
  return Buffer.from(shared.subarray(0, shared.write(text)))
}
