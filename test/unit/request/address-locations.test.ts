import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import {
  openAddressLocations,
  type AddressLocations,
} from '../../../server/request/address-locations'
import { cityRecord, locationDatabase } from '../../../testing/location-database'
import { eventually } from '../../../testing/site'
import { temporaryFolder } from '../../../testing/release-with-tests'

const folder = temporaryFolder('locations')
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'city.mmdb')
const messages: string[] = []
const log = {
  info: (_fields: unknown, message: string) => void messages.push(message),
  warn: (_fields: unknown, message: string) => void messages.push(message),
}
let opened: AddressLocations | null = null
const open = (path: string): AddressLocations =>
  (opened = openAddressLocations({ file: path, log, pollMs: 20 }))
const openBytes = (bytes: Buffer): AddressLocations => {
  writeFileSync(file, bytes)
  return open(file)
}
afterEach(() => {
  opened?.close()
  opened = null
  messages.length = 0
})

const nowhere = { country: '', region: '', city: '', timezone: '' }
const bavaria = cityRecord('DE', 'Bavaria', 'Nuremberg', 'Europe/Berlin')
const inBavaria = {
  country: 'DE',
  region: 'Bavaria',
  city: 'Nuremberg',
  timezone: 'Europe/Berlin',
}

describe('the built-in table', () => {
  it.each([
    ['8.8.8.8', 'US'],
    ['85.214.132.117', 'DE'],
    ['::ffff:85.214.132.117', 'DE'],
    ['2003:c0:1::1', 'DE'],
    ['2a01:e0a::1', 'FR'],
    ['2a00:23c5:1::1', 'GB'],
    ['2804:14c:1::1', 'BR'],
    ['2601:1::1', 'US'],
    ['240b:10::1', 'JP'],
    ['127.0.0.1', ''],
    ['192.168.1.1', ''],
    ['::1', ''],
    ['fe80::1', ''],
    ['2001:db8::1', ''],
    ['', ''],
    ['unknown', ''],
  ])('has for %s the country "%s"', (address, country) => {
    expect(open('').locate(address)).toEqual({ ...nowhere, country })
  })
})

describe("a database in MaxMind's format", () => {
  it.each([
    ['country, region, city and time zone', bavaria, inBavaria],
    ['a country alone', { country: { iso_code: 'FR' } }, { ...nowhere, country: 'FR' }],
    [
      'a city without region',
      { city: { names: { en: 'Monaco' } } },
      { ...nowhere, city: 'Monaco' },
    ],
    ['no English name', { city: { names: { de: 'Wien' } } }, nowhere],
    ['a continent alone', { continent: { code: 'EU' } }, nowhere],
    ['the country of the network owner', { registered_country: { iso_code: 'US' } }, nowhere],
    ['a code that is no country', { country: { iso_code: 'EU' } }, nowhere],
    ['a malformed code', { country: { iso_code: 'Germany' } }, nowhere],
    ['fields of other types', { country: 'DE', city: 5, subdivisions: 'x' }, nowhere],
    ['a text as record', 'DE', nowhere],
  ])('may know %s', (_what, record, expected) => {
    const { locate } = openBytes(locationDatabase({ '81.2.0.0/16': record, '2a02::/16': record }))
    expect([locate('81.2.69.142'), locate('::ffff:81.2.69.142'), locate('2a02::1')]).toEqual(
      Array(3).fill(expected),
    )
    expect([locate('81.3.0.1'), locate('2a03::1')]).toEqual([nowhere, nowhere])
  })

  it('of IPv4 addresses alone knows no IPv6 address', () => {
    const { locate } = openBytes(locationDatabase({ '32.0.0.0/3': bavaria }, 4))
    expect([locate('42.1.2.3'), locate('2a02::1')]).toEqual([inBavaria, nowhere])
  })

  it('with a damaged record fails no request', () => {
    const bytes = locationDatabase({ '81.2.0.0/16': bavaria })
    bytes.fill(0xff, 0, 32)
    const { locate } = openBytes(bytes)
    expect([locate('1.2.3.4'), locate('2a02::1')]).toEqual([nowhere, nowhere])
  })
})

describe('GEOIP_DB', () => {
  const good = locationDatabase({ '81.2.0.0/16': bavaria })
  it.each<[string, () => string]>([
    ['a missing file', () => join(folder, 'none.mmdb')],
    ['a folder', () => folder],
    ['an empty file', () => write(Buffer.alloc(0))],
    ['a text', () => write(Buffer.from('country,city\nDE,Berlin\n'))],
    [
      'random bytes',
      () => write(Buffer.from(Array.from({ length: 9000 }, (_, i) => (i * 7919) & 255))),
    ],
    ['a compressed database', () => write(gzipSync(good))],
    ['the beginning of a database', () => write(good.subarray(0, good.length / 2))],
    ['the end of a database', () => write(good.subarray(good.length / 2))],
    [
      'a database without metadata',
      () => write(good.subarray(0, good.lastIndexOf('MaxMind.com') + 11)),
    ],
  ])('%s is refused in one line', (_name, path) => {
    const name = path()
    expect(() => open(name)).toThrow(
      expect.objectContaining({
        name: 'Error',
        message: expect.stringMatching(
          /^GEOIP_DB="[^"]+" is not accepted: empty, or the path of a database in MaxMind's format \(.+\)$/,
        ),
      }),
    )
  })
  function write(bytes: Buffer): string {
    writeFileSync(file, bytes)
    return file
  }

  it('is opened again when the file is replaced, and kept when the new one is bad', async () => {
    const { locate } = openBytes(good)
    const replace = (bytes: Buffer): void => {
      writeFileSync(`${file}.new`, bytes)
      renameSync(`${file}.new`, file)
    }
    replace(locationDatabase({ '81.2.0.0/16': cityRecord('FR', 'Nord', 'Lille', 'Europe/Paris') }))
    await eventually(() => expect(locate('81.2.69.142').city).toBe('Lille'))
    replace(Buffer.from('not a database'))
    await eventually(() => expect(messages).toContainEqual(expect.stringMatching(/earlier one/)))
    expect(locate('81.2.69.142').city).toBe('Lille')
    rmSync(file)
    await eventually(() => expect(messages.filter((text) => /earlier/.test(text))).toHaveLength(2))
    expect(locate('81.2.69.142').city).toBe('Lille')
  })
})
