import { z } from 'zod'
import type { EventRow } from '../../db/insight-rows'
import { utcDay, type InsightsFilter } from './insights-filter'
import { createTally, joinKey, type Tally } from './tally'
import { createVitalCounts, type VitalCounts } from './web-vitals'

export type DayCounts = { views: number; visitors: Set<string>; downloads: number; errors: number }

/** Counts of the events that pass the filter. An unknown country or language is `-`. */
export type EventCounts = {
  add: (row: EventRow) => void
  days: ReadonlyMap<string, DayCounts>
  /** Devices with at least one event, and those that clicked a download. */
  devices: ReadonlySet<string>
  downloaders: ReadonlySet<string>
  /** Page views by path, by language and by country. */
  views: { pages: Tally; locales: Tally; countries: Tally }
  /** Clicks on downloads by operating system. */
  downloads: Tally
  /** Errors by type, trigger and message. */
  errors: Tally
  vitals: VitalCounts
  /**
   * The countries of all events, even of those that the filter excludes: the choices of the form.
   */
  countries: ReadonlySet<string>
}

const text = z.string().catch('')
/** The stored fields of an event. A missing or malformed field counts as empty. */
const fieldsSchema = z.object({
  trigger: text,
  key: text,
  message: text,
  error_type: z.union([z.string(), z.number()]).transform(String).catch(''),
  addition: z.record(z.string(), z.unknown()).catch({}),
})
type Fields = z.infer<typeof fieldsSchema>

function parseFields(data: string): Fields | null {
  try {
    return fieldsSchema.parse(JSON.parse(data))
  } catch {
    return null
  }
}

/** The path of a URL. The host is left out because the three hosts are one site. */
const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : '(unknown)')

const routeOf = ({ addition: { route } }: Fields): string =>
  typeof route === 'string' && /^[\w-]{1,64}$/.test(route) ? route : '-'

/**
 * The system of a click on a download; null for other events. Links to the download page have the
 * same key but name no system, and are not downloads.
 */
function downloadSystem({ kind }: EventRow, { key, addition: { system } }: Fields): string | null {
  if (kind !== 'click' || key !== 'download') return null
  return typeof system === 'string' && /^\w{1,32}$/.test(system) ? system : null
}

function createDays() {
  const days = new Map<string, DayCounts>()
  return {
    days,
    /** The counts of the day on which an event was received. */
    dayOf: ({ received_at }: EventRow): DayCounts => {
      const day = utcDay(received_at)
      const counts = days.get(day) ?? { views: 0, visitors: new Set(), downloads: 0, errors: 0 }
      days.set(day, counts)
      return counts
    },
  }
}

/** Counts events one by one. Keeps numbers and device ids, but not the events. */
export function createEventCounts({
  locale,
  country,
}: Pick<InsightsFilter, 'locale' | 'country'>): EventCounts {
  const { days, dayOf } = createDays()
  const devices = new Set<string>()
  const downloaders = new Set<string>()
  const countries = new Set<string>()
  const views = { pages: createTally(), locales: createTally(), countries: createTally() }
  const downloads = createTally()
  const errors = createTally()
  const vitals = createVitalCounts()

  function addView(row: EventRow): void {
    const day = dayOf(row)
    day.views += 1
    if (row.device_id) day.visitors.add(row.device_id)
    views.pages.add(pathOf(row.url), row.device_id)
    views.locales.add(row.locale || '-', row.device_id)
    views.countries.add(row.country || '-', row.device_id)
  }
  function addDownload(row: EventRow, system: string): void {
    dayOf(row).downloads += 1
    downloads.add(system, row.device_id)
    if (row.device_id) downloaders.add(row.device_id)
  }
  function addError(row: EventRow, { error_type, trigger, message }: Fields): void {
    dayOf(row).errors += 1
    errors.add(joinKey(error_type, trigger, message.replaceAll('\n', ' ')), row.device_id)
  }

  function add(row: EventRow): void {
    const rowCountry = row.country || '-'
    countries.add(rowCountry)
    if ((locale && row.locale !== locale) || (country && rowCountry !== country)) return
    const fields = parseFields(row.data)
    if (!fields) return
    if (row.device_id) devices.add(row.device_id)
    const system = downloadSystem(row, fields)
    if (row.kind === 'view' && fields.trigger === 'web-vitals')
      vitals.add(routeOf(fields), row.locale || '-', fields.addition)
    else if (row.kind === 'view') addView(row)
    else if (row.kind === 'error') addError(row, fields)
    else if (system) addDownload(row, system)
  }
  return { add, days, devices, downloaders, views, downloads, errors, vitals, countries }
}
