import { describe, expect, it } from '@jest/globals'
import sharp from 'sharp'
import { readImageFacts } from '../../../server/content/image-facts'

const drawn = sharp({ create: { width: 123, height: 45, channels: 3, background: '#2450e6' } })
const svg = (inner: string, before = ''): Buffer =>
  Buffer.from(`${before}<svg xmlns="http://www.w3.org/2000/svg" ${inner}></svg>`)

describe('the facts of a picture', () => {
  it.each(['png', 'jpeg', 'gif', 'webp', 'avif'] as const)(
    'are read from the header of a %s',
    async (format) => {
      expect(readImageFacts(await drawn.clone().toFormat(format).toBuffer())).toEqual({
        format,
        width: 123,
        height: 45,
      })
    },
  )
  it.each([
    ['lossless', { lossless: true }],
    ['lossy', {}],
  ] as const)('are read from a %s webp with and without transparency', async (_name, options) => {
    for (const channels of [3, 4] as const) {
      const bytes = await sharp({
        create: { width: 300, height: 17, channels, background: { r: 1, g: 2, b: 3, alpha: 0.5 } },
      })
        .webp(options)
        .toBuffer()
      expect(readImageFacts(bytes)).toEqual({ format: 'webp', width: 300, height: 17 })
    }
  })
  it('are the shown size: a portrait photo is stored as landscape', async () => {
    for (const [orientation, width] of [
      [1, 123],
      [3, 123],
      [6, 45],
      [8, 45],
    ] as const) {
      expect(
        readImageFacts(await drawn.clone().jpeg().withMetadata({ orientation }).toBuffer())?.width,
      ).toBe(width)
    }
  })
  it.each([
    ['bytes that pad a marker', [0xff, 0xff]],
    [
      'EXIF without an orientation',
      [0xff, 0xe1, 0, 22, ...Buffer.from('Exif\0\0II*\0\x08\0\0\0'), ...Array<number>(6).fill(0)],
    ],
  ])('are read from a jpeg with %s', async (_name, inserted) => {
    const bytes = await drawn.clone().jpeg().toBuffer()
    expect(
      readImageFacts(
        Buffer.concat([bytes.subarray(0, 2), Buffer.from(inserted), bytes.subarray(2)]),
      ),
    ).toEqual({ format: 'jpeg', width: 123, height: 45 })
  })
  it.each([
    ['width="10" height="20"', { width: 10, height: 20 }],
    ['width="10px" height="20px" viewBox="0 0 1 1"', { width: 10, height: 20 }],
    ['viewBox="0 0 320 180"', { width: 320, height: 180 }],
    ['viewBox="0,0,32.4,18"', { width: 32, height: 18 }],
    ['', { width: 300, height: 150 }],
  ])('of a drawing with %s', (attributes, size) =>
    expect(readImageFacts(svg(attributes))).toEqual({ format: 'svg', ...size }),
  )
  it.each([
    '<?xml version="1.0"?>\n',
    '\uFEFF',
    '<!-- a -->\n<!-- b -->',
    '<!DOCTYPE svg>',
    '<!DOCTYPE svg [<!ENTITY a "b">]>\n',
    '  \n',
  ])('knows a drawing after %j', (before) =>
    expect(readImageFacts(svg('width="1" height="1"', before))?.format).toBe('svg'),
  )

  it.each(['png', 'jpeg', 'gif', 'webp', 'avif'] as const)(
    'are null or right for a %s cut off anywhere, and never an error',
    async (format) => {
      const bytes = await drawn.clone().toFormat(format).toBuffer()
      for (let length = 0; length < Math.min(bytes.length, 800); length += 1) {
        const facts = readImageFacts(bytes.subarray(0, length))
        if (facts) expect([facts.format, facts.width, facts.height]).toEqual([format, 123, 45])
      }
    },
  )
  it('are null or numbers for any bytes after a known signature', () => {
    const heads = [
      Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
      Buffer.from([0xff, 0xd8, 0xff]),
      Buffer.from('GIF89a'),
      Buffer.from('RIFF\0\0\0\0WEBPVP8X', 'latin1'),
      Buffer.from('\0\0\0\x20ftypavif', 'latin1'),
      Buffer.from('<svg '),
    ]
    let seed = 7
    const random = (): number => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) >> 16
    for (let round = 0; round < 3000; round += 1) {
      const tail = Buffer.from(Array.from({ length: random() % 120 }, () => random() & 255))
      const facts = readImageFacts(
        Buffer.concat([heads[round % heads.length] ?? Buffer.alloc(0), tail]),
      )
      if (facts) expect(facts.width > 0 && facts.height > 0).toBe(true)
    }
  })
  it.each([
    '',
    'hello',
    '<html></html>',
    '<!doctype html><svg></svg>',
    'text <svg></svg>',
    '%PDF-1.7',
    'II*\0',
    'BM',
    '{"a":1}',
  ])('are null for %j', (text) => expect(readImageFacts(Buffer.from(text))).toBeNull())

  // Remote pictures are read on the main thread, so time that grows faster than the length of a
  // hostile file would stop the site. The count grows slowly, so that the test also ends where the
  // time doubles with each repetition.
  it.each([
    ['comments', '', '<!---->'],
    ['comments with blanks', '', '<!-- --> '],
    ['open comments', '', '<!--'],
    ['blanks', '', ' '],
    ['processing instructions', '', '<?xml ?>'],
    ['open processing instructions', '', '<?xml '],
    ['document types', '', '<!DOCTYPE svg>'],
    ['document types with brackets', '', '<!DOCTYPE svg[]>'],
    ['open brackets', '<!DOCTYPE svg[', ']'],
    ['mixed parts', '\uFEFF', '<!----><!DOCTYPE svg []> \n'],
    ['open root elements', '', '<svg '],
    ['attributes without end', '<svg', ' a="'],
    ['view boxes without end', '<svg viewBox="', '0 '],
    ['view boxes of commas', '<svg viewBox="', ', '],
    ['digits', '<svg width="', '1'],
  ])('are decided in linear time for repeated %s', (_name, start, part) => {
    for (let count = 4; count * part.length <= 64 * 1024; count = Math.ceil(count * 1.1)) {
      const bytes = Buffer.from(start + part.repeat(count))
      // A garbage collection may fall into one of them.
      const isSlow = [1, 2, 3].every(() => {
        const before = process.cpuUsage()
        readImageFacts(bytes)
        return process.cpuUsage(before).user > 100_000
      })
      expect({ count, isSlow }).toEqual({ count, isSlow: false })
    }
  })
})
