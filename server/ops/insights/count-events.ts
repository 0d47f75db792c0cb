import { utcDay } from '../../../shared/utc-day'
import type { EventRow } from '../../db/insight-rows'
import { downloadSystem, parseEventFields, pathOf, type EventFields } from '../rollup/event-fields'
import type { InsightsFilter } from './insights-filter'
import { createTally, joinKey, type Tally } from './tally'

type DayCounts = { views: number; visitors: Set<string>; downloads: number; errors: number }

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
  const views = { pages: createTally(), locales: createTally(), countries: createTally() }
  const downloads = createTally()
  const errors = createTally()

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
  function addError(row: EventRow, { error_type, trigger, message }: EventFields): void {
    dayOf(row).errors += 1
    errors.add(joinKey(error_type, trigger, message.replaceAll('\n', ' ')), row.device_id)
  }

  function add(row: EventRow): void {
    if ((locale && row.locale !== locale) || (country && (row.country || '-') !== country)) return
    const fields = parseEventFields(row.data)
    if (!fields) return
    if (row.device_id) devices.add(row.device_id)
    const system = downloadSystem(row.kind, fields)
    if (row.kind === 'view') {
      // Before web vitals had a table, they were stored as such events, which are kept 90 days.
      if (fields.trigger !== 'web-vitals') addView(row)
    } else if (row.kind === 'error') addError(row, fields)
    else if (system) addDownload(row, system)
  }
  return { add, days, devices, downloaders, views, downloads, errors }
}
