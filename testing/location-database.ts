/** Writes small databases in MaxMind's format (https://maxmind.github.io/MaxMind-DB/). */
import { writeFileSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import { join } from 'node:path'
import ipaddr from 'ipaddr.js'
import { temporaryFolder } from './release-with-tests'

type Value = string | number | readonly Value[] | { readonly [name: string]: Value }
/** Records by network: `{ '8.8.8.0/24': { country: { iso_code: 'US' } } }`. */
type Networks = Readonly<Record<string, Value>>
type Node = [left: Child, right: Child]
/** A number is the offset of a record. */
type Child = Node | number | null

const typeOf = { string: 2, map: 7, uint32: 6, array: 11 } as const

/** The byte or bytes before a value: its type and its size. */
function control(type: number, size: number): Buffer {
  if (size >= 285) throw new Error('values of tests are shorter')
  const more = size >= 29 ? [size - 29] : []
  const bits = Math.min(size, 29)
  return Buffer.from(type > 7 ? [bits, type - 7, ...more] : [(type << 5) | bits, ...more])
}

function encode(value: Value): Buffer {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value)
    return Buffer.concat([control(typeOf.string, bytes.length), bytes])
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return Buffer.concat([control(typeOf.uint32, 4), bytes])
  }
  if (Array.isArray(value))
    return Buffer.concat([control(typeOf.array, value.length), ...value.map(encode)])
  const entries = Object.entries(value)
  return Buffer.concat([
    control(typeOf.map, entries.length),
    ...entries.flatMap(([name, inner]) => [encode(name), encode(inner)]),
  ])
}

/** The bits that lead to a network. In a tree of IPv6, IPv4 is below `::/96`. */
function bitsOf(network: string, ipVersion: 4 | 6): number[] {
  const [address, length] = ipaddr.parseCIDR(network)
  const bits = address
    .toByteArray()
    .flatMap((byte) => Array.from(byte.toString(2).padStart(8, '0')))
  const before = ipVersion === 6 && isIPv4(address.toString()) ? Array<string>(96).fill('0') : []
  return [...before, ...bits.slice(0, length)].map(Number)
}

/** The bytes of a database. Networks must not overlap. */
export function locationDatabase(
  networks: Networks,
  ipVersion: 4 | 6 = 6,
  builtAt = new Date(),
): Buffer {
  const root: Node = [null, null]
  const records: Buffer[] = []
  let dataSize = 0
  for (const [network, record] of Object.entries(networks)) {
    const bits = bitsOf(network, ipVersion)
    const last = bits.pop() ?? 0
    let node = root
    for (const bit of bits) {
      const child = node[bit]
      const next: Node = Array.isArray(child) ? child : [null, null]
      node[bit] = next
      node = next
    }
    node[last] = dataSize
    const bytes = encode(record)
    records.push(bytes)
    dataSize += bytes.length
  }

  const nodes: Node[] = []
  const number = (node: Node): void => {
    nodes.push(node)
    for (const child of node) if (Array.isArray(child)) number(child)
  }
  number(root)
  const indexes = new Map(nodes.map((node, index) => [node, index]))
  const separatorSize = 16
  const pointer = (child: Child): number => {
    if (child === null) return nodes.length
    return typeof child === 'number'
      ? nodes.length + separatorSize + child
      : (indexes.get(child) ?? 0)
  }
  const tree = Buffer.alloc(nodes.length * 6)
  for (const [index, [left, right]] of nodes.entries()) {
    tree.writeUIntBE(pointer(left), index * 6, 3)
    tree.writeUIntBE(pointer(right), index * 6 + 3, 3)
  }
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: Math.trunc(builtAt.getTime() / 1000),
    database_type: 'Test-City',
    description: { en: 'Test' },
    ip_version: ipVersion,
    languages: ['en'],
    node_count: nodes.length,
    record_size: 24,
  })
  return Buffer.concat([
    tree,
    Buffer.alloc(separatorSize),
    ...records,
    Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'),
    metadata,
  ])
}

/** A record as city databases have it. */
export const cityRecord = (
  country: string,
  region: string,
  city: string,
  timezone: string,
): Networks => ({
  country: { iso_code: country, names: { en: country } },
  subdivisions: [{ names: { en: region, de: 'x' } }, { names: { en: 'a smaller one' } }],
  city: { names: { de: 'x', en: city } },
  location: { time_zone: timezone },
})

/** Locations of the addresses that tests use. Loopback is in a country without a consent prompt. */
const testNetworks: Networks = {
  '127.0.0.0/8': cityRecord('US', 'Illinois', 'Chicago', 'America/Chicago'),
  '8.8.8.0/24': cityRecord('US', 'California', 'Mountain View', 'America/Los_Angeles'),
  '5.9.0.0/16': cityRecord('DE', 'Saxony', 'Falkenstein', 'Europe/Berlin'),
  '85.214.0.0/16': cityRecord('DE', 'Land Berlin', 'Berlin', 'Europe/Berlin'),
  '2a01:4f8::/32': cityRecord('DE', 'Saxony', 'Falkenstein', 'Europe/Berlin'),
  '2600:1f00::/24': cityRecord('US', 'Virginia', 'Ashburn', 'America/New_York'),
}

function writeLocationDatabase(networks: Networks): string {
  const file = join(temporaryFolder('locations'), 'city.mmdb')
  writeFileSync(file, locationDatabase(networks))
  return file
}

let testFile: string | null = null
/** Path of a database with `testNetworks`, written once per process. */
export const testLocations = (): string => (testFile ??= writeLocationDatabase(testNetworks))
