import { readFileSync, statSync, type Stats } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import ipaddr from 'ipaddr.js'
import { Reader, type CityResponse } from 'mmdb-lib'
import { z } from 'zod'
import { SettingsError } from '../env'

/**
 * Where an address is; unknown parts are empty. `country` is an ISO 3166-1 code, `timezone` a name
 * of the IANA database, the others are English names.
 */
export type AddressLocation = { country: string; region: string; city: string; timezone: string }
export type LocateAddress = (address: string) => AddressLocation
export type AddressLocations = {
  locate: LocateAddress
  /** The database in use: what it calls itself, and when it was made. */
  source: () => { type: string; builtAt: Date }
  close: () => void
}
type Options = {
  /** GEOIP_DB; empty: the built-in table of countries. */
  file: string
  log: Record<'info' | 'warn', (fields: object, message: string) => void>
  /** How often the file is checked for a replacement. */
  pollMs?: number
}

const unknown: AddressLocation = { country: '', region: '', city: '', timezone: '' }

/** Some databases use these codes for addresses whose country they do not know. */
const unknownCountries: readonly string[] = ['AP', 'EU', 'XX', 'ZZ']
const country = z
  .string()
  .regex(/^[A-Z]{2}$/)
  .refine((code) => !unknownCountries.includes(code))
const named = z.object({ names: z.object({ en: z.string() }) }).transform(({ names }) => names.en)
/** A record as GeoIP2 and GeoLite2 databases have it; the built-in table has `country_code`. */
const recordSchema = z
  .object({
    country: z
      .object({ iso_code: country })
      .transform(({ iso_code }) => iso_code)
      .catch(''),
    country_code: country.catch(''),
    subdivisions: z
      .tuple([named], z.unknown())
      .transform(([largest]) => largest)
      .catch(''),
    city: named.catch(''),
    location: z
      .object({ time_zone: z.string() })
      .transform(({ time_zone }) => time_zone)
      .catch(''),
  })
  .transform((record): AddressLocation => ({
    country: record.country || record.country_code,
    region: record.subdivisions,
    city: record.city,
    timezone: record.location,
  }))

type Database = { reader: Reader<CityResponse>; isBuiltIn: boolean }

const metadataMarker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')

/** Throws where the bytes are no complete database. */
function parseDatabase(bytes: Buffer): Reader<CityResponse> {
  const dataEnd = bytes.lastIndexOf(metadataMarker)
  if (dataEnd < 0) throw new Error('the file has another format')
  const reader = new Reader<CityResponse>(bytes)
  const { binaryFormatMajorVersion, searchTreeSize, ipVersion } = reader.metadata
  if (binaryFormatMajorVersion !== 2 || ![4, 6].includes(ipVersion))
    throw new Error('the file has another version of the format')
  if (!(searchTreeSize > 0 && searchTreeSize < dataEnd)) throw new Error('the file is incomplete')
  return reader
}

function openDatabase(file: string): Database {
  const path =
    file ||
    // Not bundled: the package is one file of data.
    createRequire(__filename).resolve(
      '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb',
    )
  try {
    return { reader: parseDatabase(readFileSync(path)), isBuiltIn: file === '' }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SettingsError(
      `GEOIP_DB=${JSON.stringify(file)} is not accepted: empty, or the path of a database in MaxMind's format (${reason})`,
    )
  }
}

function locateIn({ reader, isBuiltIn }: Database, text: string): AddressLocation {
  if (!ipaddr.isValid(text)) return unknown
  const address = ipaddr.process(text)
  // The built-in table has countries for some private and documentation addresses.
  if (isBuiltIn && address.range() !== 'unicast') return unknown
  // A database of IPv4 addresses would take the first half of an IPv6 address for one.
  if (address.kind() === 'ipv6' && reader.metadata.ipVersion === 4) return unknown
  return recordSchema.safeParse(reader.get(address.toString())).data ?? unknown
}

/** Differs after the file was replaced. */
const versionOf = ({ ino, mtimeMs, size }: Stats): string => `${ino} ${mtimeMs} ${size}`

/**
 * Finds countries, regions, cities and time zones of addresses in a database on this machine; no
 * request is made. The file may be replaced at any time; one that cannot be read leaves the earlier
 * one in use. Throws a SettingsError when the file cannot be used at all.
 */
export function openAddressLocations({ file, log, pollMs = 5000 }: Options): AddressLocations {
  // Read before the file, which may be replaced while it is read.
  const stats = file ? statSync(file, { throwIfNoEntry: false }) : undefined
  let version = stats ? versionOf(stats) : null
  let database = openDatabase(file)

  async function reloadIfReplaced(): Promise<void> {
    const current = await stat(file).then(versionOf, () => null)
    if (current === version) return
    version = current
    try {
      database = { ...database, reader: parseDatabase(await readFile(file)) }
      log.info({ file }, 'GEOIP_DB was replaced')
    } catch (error) {
      log.warn({ err: error, file }, 'GEOIP_DB cannot be read; the earlier one stays in use')
    }
  }
  // Polling also notices a replaced file on network disks, and behind a symbolic link.
  const timer = file ? setInterval(() => void reloadIfReplaced(), pollMs).unref() : undefined

  return {
    locate(address) {
      try {
        return locateIn(database, address)
      } catch (error) {
        // A damaged record must not fail the request.
        log.warn({ err: error, file }, 'an address could not be looked up')
        return unknown
      }
    },
    source() {
      const { databaseType, buildEpoch } = database.reader.metadata
      return { type: databaseType, builtAt: buildEpoch }
    },
    close: () => clearInterval(timer),
  }
}
