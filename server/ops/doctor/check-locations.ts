import { dayMs } from '../../../shared/constants'
import { utcDay } from '../../../shared/utc-day'
import { SettingsError, type Settings } from '../../env'
import { openAddressLocations } from '../../request/address-locations'
import { createLogger } from '../../telemetry/logger'
import { note, ok, problem, type Finding } from './finding'

const maxAgeDays = 365

/** Checks the database that tells which visitors are asked for consent. */
export function checkLocations({ GEOIP_DB }: Pick<Settings, 'GEOIP_DB'>): Finding {
  try {
    const locations = openAddressLocations({ file: GEOIP_DB, log: createLogger('silent') })
    locations.close()
    const { type, builtAt } = locations.source()
    const message = GEOIP_DB
      ? `GEOIP_DB: ${type} of ${utcDay(builtAt)}`
      : `GEOIP_DB is empty: the built-in table of countries, of ${utcDay(builtAt)}`
    const isOld = Date.now() - builtAt.getTime() > maxAgeDays * dayMs
    return isOld
      ? note('locations', message, 'addresses change hands: set GEOIP_DB to a newer database')
      : ok('locations', message)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    return problem('locations', error.message, 'correct GEOIP_DB; the site does not start with it')
  }
}
