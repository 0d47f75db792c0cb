/** Files that crash image decoders, use much memory or have a wrong header. */
import { deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

const crcTable = Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value >>> 0
})
const crc = (bytes: Buffer): number =>
  (bytes.reduce(
    (value, byte) => (crcTable[(value ^ byte) & 255] ?? 0) ^ (value >>> 8),
    0xffffffff,
  ) ^
    0xffffffff) >>>
  0

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc(body))
  return Buffer.concat([length, body, sum])
}

/** A one-color PNG with one bit per pixel: a few KB at any size. */
export function flatPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** An animated GIF or WebP with `frames` frames. */
export async function animation(
  format: 'gif' | 'webp',
  frames: number,
  size = 64,
): Promise<Buffer> {
  const raw = Buffer.alloc(size * size * frames * 3)
  // Each frame has its own color; the encoder would merge equal frames.
  for (let frame = 0; frame < frames; frame += 1)
    raw.fill(
      Buffer.from([frame & 255, (frame >> 3) & 255, 90]),
      frame * size * size * 3,
      (frame + 1) * size * size * 3,
    )
  const image = sharp(raw, {
    raw: { width: size, height: size * frames, channels: 3, pageHeight: size },
    limitInputPixels: false,
  })
  return format === 'gif'
    ? image.gif({ effort: 1 }).toBuffer()
    : image.webp({ effort: 0, lossless: true }).toBuffer()
}

export const drawing = (inner: string, before = ''): Buffer =>
  Buffer.from(
    `${before}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="320" height="180">${inner}</svg>`,
  )

/** A photograph-like picture: noise over a gradient, so that encoding takes time. */
export function noisyPicture(width: number, height: number): Sharp {
  const raw = Buffer.alloc(width * height * 3)
  let seed = 42
  for (let index = 0; index < raw.length; index += 3) {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff
    const base = Math.floor((((index / 3) % width) / width) * 200)
    raw[index] = base + (seed & 15)
    raw[index + 1] = 220 - base + ((seed >> 4) & 15)
    raw[index + 2] = 90 + ((seed >> 8) & 31)
  }
  return sharp(raw, { raw: { width, height, channels: 3 } })
}
