import type { SourceFormat } from '../../shared/images'

/** What the first bytes of a picture tell: its format and its size as it is shown (px). */
export type ImageFacts = { format: SourceFormat; width: number; height: number }

type Reader = (bytes: Buffer) => { width: number; height: number } | null
const text = (bytes: Buffer, start: number, end: number): string =>
  bytes.toString('latin1', start, end)

const png: Reader = (bytes) =>
  bytes.length >= 24 ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : null
const gif: Reader = (bytes) =>
  bytes.length >= 10 ? { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) } : null

const webp: Reader = (bytes) => {
  const kind = text(bytes, 12, 16)
  if (kind === 'VP8X' && bytes.length >= 30)
    return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (kind === 'VP8L' && bytes.length >= 25) {
    const bits = bytes.readUInt32LE(21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
  }
  return kind === 'VP8 ' && bytes.length >= 30
    ? { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    : null
}

/** Value of tag 0x0112 in an EXIF block that begins at `tiff`: 5 to 8 lie on their side. */
function orientation(bytes: Buffer, tiff: number, end: number): number {
  const little = text(bytes, tiff, tiff + 2) === 'II'
  const short = (at: number): number =>
    at + 2 > end ? 0 : little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at)
  const long = (at: number): number =>
    at + 4 > end ? end : little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)
  const directory = tiff + long(tiff + 4)
  const count = Math.min(short(directory), 64)
  for (let index = 0; index < count; index += 1) {
    const entry = directory + 2 + index * 12
    if (short(entry) === 0x0112) return short(entry + 8)
  }
  return 1
}

const jpeg: Reader = (bytes) => {
  let turned = false
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    const length = bytes.readUInt16BE(at + 2)
    if (marker === 0xe1 && text(bytes, at + 4, at + 8) === 'Exif')
      turned = orientation(bytes, at + 10, Math.min(at + 2 + length, bytes.length)) >= 5
    // Start of frame: C0 to CF but for tables (C4), extensions (C8) and arithmetic coding (CC).
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)]
      return turned ? { width: height, height: width } : { width, height }
    }
    at += 2 + length
  }
  return null
}

/** Largest `ispe` box: an avif may hold tiles and a thumbnail beside its picture. */
const avif: Reader = (bytes) => {
  const sizes: Array<{ width: number; height: number }> = []
  const end = Math.min(bytes.length, 64 * 1024)
  for (
    let at = bytes.indexOf('ispe', 0, 'latin1');
    at >= 0 && at + 16 <= end;
    at = bytes.indexOf('ispe', at + 4, 'latin1')
  ) {
    sizes.push({ width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) })
  }
  return sizes.sort((a, b) => b.width * b.height - a.width * a.height)[0] ?? null
}

const svg: Reader = (bytes) => {
  const tag = /<svg\b[^>]*>/.exec(bytes.toString('utf8', 0, 16 * 1024))?.[0]
  if (!tag) return null
  const length = (name: string): number =>
    Number(new RegExp(`\\s${name}="(\\d+(?:\\.\\d+)?)(?:px)?"`).exec(tag)?.[1] ?? 0)
  const box = /\sviewBox="\s*\S+[\s,]+\S+[\s,]+(\d+(?:\.\d+)?)[\s,]+(\d+(?:\.\d+)?)\s*"/.exec(tag)
  return {
    width: Math.round(length('width') || Number(box?.[1] ?? 300)),
    height: Math.round(length('height') || Number(box?.[2] ?? 150)),
  }
}

/** By magic bytes: a name or a Content-Type may lie. */
const formats: ReadonlyArray<{
  format: SourceFormat
  is: (bytes: Buffer) => boolean
  read: Reader
}> = [
  {
    format: 'png',
    is: (bytes) => text(bytes, 0, 8) === '\x89PNG\r\n\x1a\n' && text(bytes, 12, 16) === 'IHDR',
    read: png,
  },
  { format: 'jpeg', is: (bytes) => text(bytes, 0, 3) === '\xff\xd8\xff', read: jpeg },
  { format: 'gif', is: (bytes) => /^GIF8[79]a$/.test(text(bytes, 0, 6)), read: gif },
  {
    format: 'webp',
    is: (bytes) => text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 12) === 'WEBP',
    read: webp,
  },
  {
    format: 'avif',
    is: (bytes) => text(bytes, 4, 8) === 'ftyp' && /avi[fs]/.test(text(bytes, 8, 40)),
    read: avif,
  },
  {
    format: 'svg',
    is: (bytes) =>
      /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--[\s\S]*?-->\s*|<!DOCTYPE\s+svg[^>[]*(?:\[[\s\S]*?\])?\s*>\s*)*<svg[\s>]/i.test(
        bytes.toString('utf8', 0, 4096),
      ),
    read: svg,
  },
]

/**
 * Format and shown size of a picture, from its header alone: nothing is decoded, so it is cheap and safe on whatever
 * comes from outside. Null for what is no picture, is cut off before its size, or has none.
 */
export function readImageFacts(bytes: Buffer): ImageFacts | null {
  const found = formats.find(({ is }) => is(bytes))
  const size = found?.read(bytes)
  return found && size && size.width > 0 && size.height > 0
    ? { format: found.format, ...size }
    : null
}
