import type { SourceFormat } from '../../shared/images'

/** Format of a picture and its size as shown (px), after an EXIF rotation. */
export type ImageFacts = { format: SourceFormat; width: number; height: number }

type SizeReader = (bytes: Buffer) => { width: number; height: number } | null
const latin1 = (bytes: Buffer, start: number, end: number): string =>
  bytes.toString('latin1', start, end)

const pngSize: SizeReader = (bytes) =>
  bytes.length >= 24 ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : null
const gifSize: SizeReader = (bytes) =>
  bytes.length >= 10 ? { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) } : null

const webpSize: SizeReader = (bytes) => {
  const chunk = latin1(bytes, 12, 16)
  if (chunk === 'VP8X' && bytes.length >= 30)
    return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (chunk === 'VP8L' && bytes.length >= 25) {
    const bits = bytes.readUInt32LE(21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
  }
  return chunk === 'VP8 ' && bytes.length >= 30
    ? { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    : null
}

/** The orientation tag (0x0112) of the EXIF block at `tiff`: 5 to 8 swap width and height. */
function readOrientation(bytes: Buffer, tiff: number, end: number): number {
  const isLittleEndian = latin1(bytes, tiff, tiff + 2) === 'II'
  const uint16 = (offset: number): number => {
    if (offset + 2 > end) return 0
    return isLittleEndian ? bytes.readUInt16LE(offset) : bytes.readUInt16BE(offset)
  }
  const uint32 = (offset: number): number => {
    if (offset + 4 > end) return end
    return isLittleEndian ? bytes.readUInt32LE(offset) : bytes.readUInt32BE(offset)
  }
  const directory = tiff + uint32(tiff + 4)
  const count = Math.min(uint16(directory), 64)
  for (let index = 0; index < count; index += 1) {
    const entry = directory + 2 + index * 12
    if (uint16(entry) === 0x0112) return uint16(entry + 8)
  }
  return 1
}

const jpegSize: SizeReader = (bytes) => {
  let isRotated = false
  for (let offset = 2; offset + 9 < bytes.length && bytes[offset] === 0xff;) {
    const marker = bytes[offset + 1] ?? 0
    if (marker === 0xff) {
      offset += 1
      continue
    }
    const length = bytes.readUInt16BE(offset + 2)
    if (marker === 0xe1 && latin1(bytes, offset + 4, offset + 8) === 'Exif') {
      const end = Math.min(offset + 2 + length, bytes.length)
      isRotated = readOrientation(bytes, offset + 10, end) >= 5
    }
    // Start of frame: C0 to CF except tables (C4), extensions (C8) and arithmetic coding (CC).
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const [height, width] = [bytes.readUInt16BE(offset + 5), bytes.readUInt16BE(offset + 7)]
      return isRotated ? { width: height, height: width } : { width, height }
    }
    offset += 2 + length
  }
  return null
}

/** The largest `ispe` box: besides its picture an AVIF may contain tiles and a thumbnail. */
const avifSize: SizeReader = (bytes) => {
  const sizes: Array<{ width: number; height: number }> = []
  const end = Math.min(bytes.length, 64 * 1024)
  let offset = bytes.indexOf('ispe', 0, 'latin1')
  while (offset >= 0 && offset + 16 <= end) {
    sizes.push({ width: bytes.readUInt32BE(offset + 8), height: bytes.readUInt32BE(offset + 12) })
    offset = bytes.indexOf('ispe', offset + 4, 'latin1')
  }
  return sizes.sort((a, b) => b.width * b.height - a.width * a.height)[0] ?? null
}

/** What may stand before the root element of a drawing. */
const prologPart = /\s+|<\?[^]*?\?>|<!--[^]*?-->|<!DOCTYPE\s+svg[^>[]*(?:\[[^\]]*\]\s*)?>/iy

/**
 * The start tag of a drawing's root element; null where the bytes are no drawing. Reads one part
 * after the other and never goes back: one expression for the whole prolog took exponential time.
 */
function svgTag(bytes: Buffer): string | null {
  const text = bytes.toString('utf8', 0, 16 * 1024)
  prologPart.lastIndex = text.startsWith('\uFEFF') ? 1 : 0
  let start = prologPart.lastIndex
  while (prologPart.test(text)) start = prologPart.lastIndex
  const end = text.indexOf('>', start)
  return end >= 0 && /^<svg[\s>]/i.test(text.slice(start, start + 5))
    ? text.slice(start, end)
    : null
}

const svgSize: SizeReader = (bytes) => {
  const tag = svgTag(bytes)
  if (tag === null) return null
  const attributes = new Map(
    Array.from(tag.matchAll(/\s([\w:-]+)="([^"]*)"/g), ([, name, value]) => [name, value]),
  )
  const length = (text = ''): number =>
    Number(/^\s*(\d+(?:\.\d+)?)(?:px)?\s*$/.exec(text)?.[1] ?? 0)
  const [, , width, height] = (attributes.get('viewBox') ?? '').trim().split(/[\s,]+/)
  return {
    width: Math.round(length(attributes.get('width')) || length(width) || 300),
    height: Math.round(length(attributes.get('height')) || length(height) || 150),
  }
}

/** Recognized by their first bytes, because a file name or Content-Type may be wrong. */
const formats: ReadonlyArray<{
  format: SourceFormat
  matches: (bytes: Buffer) => boolean
  readSize: SizeReader
}> = [
  {
    format: 'png',
    matches: (bytes) =>
      latin1(bytes, 0, 8) === '\x89PNG\r\n\x1a\n' && latin1(bytes, 12, 16) === 'IHDR',
    readSize: pngSize,
  },
  {
    format: 'jpeg',
    matches: (bytes) => latin1(bytes, 0, 3) === '\xff\xd8\xff',
    readSize: jpegSize,
  },
  { format: 'gif', matches: (bytes) => /^GIF8[79]a$/.test(latin1(bytes, 0, 6)), readSize: gifSize },
  {
    format: 'webp',
    matches: (bytes) => latin1(bytes, 0, 4) === 'RIFF' && latin1(bytes, 8, 12) === 'WEBP',
    readSize: webpSize,
  },
  {
    format: 'avif',
    matches: (bytes) => latin1(bytes, 4, 8) === 'ftyp' && /avi[fs]/.test(latin1(bytes, 8, 40)),
    readSize: avifSize,
  },
  {
    format: 'svg',
    matches: (bytes) => svgTag(bytes) !== null,
    readSize: svgSize,
  },
]

/**
 * Format and size of a picture. It reads the header only and decodes nothing, so it is cheap and
 * safe on any input. Null where the bytes are no picture, end before the size or have none.
 */
export function readImageFacts(bytes: Buffer): ImageFacts | null {
  const found = formats.find(({ matches }) => matches(bytes))
  const size = found?.readSize(bytes)
  return found && size && size.width > 0 && size.height > 0
    ? { format: found.format, ...size }
    : null
}
