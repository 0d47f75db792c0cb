/** Pages as bytes (spec 8.2). */
import { expect, it } from '@jest/globals'
import { encodeText } from '../../../server/pages/encode-text'

const texts = [
  '',
  'a',
  'é',
  '—',
  '😀',
  'a\ud800b',
  '\udc00',
  'ไทย'.repeat(9000),
  'x'.repeat(300_000),
]

it('encodes every text as Buffer.from does, and keeps those before', () => {
  const encoded = texts.map((text) => encodeText(text))
  expect(encoded.map((bytes, index) => bytes.equals(Buffer.from(texts[index] ?? '')))).toEqual(
    texts.map(() => true),
  )
})

it.each([
  ['short', texts.slice(0, -1)],
  ['long', texts],
])('encodes %s parts as one text', (_, parts) => {
  expect(encodeText(...parts).equals(Buffer.from(parts.join('')))).toBe(true)
})
