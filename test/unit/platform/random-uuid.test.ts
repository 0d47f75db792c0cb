import { expect, it } from '@jest/globals'
import { randomUuid } from '../../../client/platform/random-uuid'

it('is of version 4 also where the browser has no randomUUID, as on pages over plain http', () => {
  const filledWith = (byte: number) => ({
    getRandomValues: <T extends ArrayBufferView | null>(bytes: T): T => {
      if (bytes instanceof Uint8Array) bytes.fill(byte)
      return bytes
    },
  })
  expect(['00', '05', 'ff'].map((hex) => randomUuid(filledWith(parseInt(hex, 16))))).toEqual([
    '00000000-0000-4000-8000-000000000000',
    '05050505-0505-4505-8505-050505050505',
    'ffffffff-ffff-4fff-bfff-ffffffffffff',
  ])
  expect(randomUuid(crypto)).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/)
})
