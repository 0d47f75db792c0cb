import { z } from 'zod'
import type { EventRow } from '../../db/insight-rows'
import { dayOf, type InsightsFilter } from './insights-filter'
import { createTally, type Tally } from './tally'
import { createVitalCounts, type VitalCounts } from './web-vitals'

export type DayCounts = { views: number; visitors: Set<string>; downloads: number; errors: number }
export type EventCounts = {
  add: (row: EventRow) => void
  days: ReadonlyMap<string, DayCounts>
  /** Devices with any event that the filter lets through, and those of them that asked for a file. */
  devices: ReadonlySet<string>
  downloaders: ReadonlySet<string>
  /** Views by path, language and country (`-`: not known); clicks on downloads by system; errors by kind and message, parted by a line feed. */
  views: { pages: Tally; locales: Tally; countries: Tally }
  downloads: Tally
  errors: Tally
  vitals: VitalCounts
  /** Countries of all events, whatever the filter: what may be chosen. */
  countries: ReadonlySet<string>
}

const text = z.string().catch('')
/** What is read of an event's further fields; a field that is missing or of another form counts as empty. */
const fields = z.object({
  trigger: text,
  key: text,
  message: text,
  error_type: z.union([z.string(), z.number()]).transform(String).catch(''),
  addition: z.record(z.string(), z.unknown()).catch({}),
})
type Fields = z.infer<typeof fields>

function fieldsOf(data: string): Fields | null {
  try {
    return fields.parse(JSON.parse(data))
  } catch {
    return null
  }
}

/** The path of an address, whatever its host: the three hosts are one site. */
const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : '(unknown)')
/** The file that a click was for. Links that lead to the page of downloads bear the same key but name no system: they are no download. */
const systemOf = ({ system }: Readonly<Record<string, unknown>>): string | null =>
  typeof system === 'string' && /^\w{1,32}$/.test(system) ? system : null

/** Adds events up to what insights show. Holds numbers and sets of devices, no event. */
export function createEventCounts({
  locale,
  country,
}: Pick<InsightsFilter, 'locale' | 'country'>): EventCounts {
  const days = new Map<string, DayCounts>()
  const devices = new Set<string>()
  const downloaders = new Set<string>()
  const countries = new Set<string>()
  const views = { pages: createTally(), locales: createTally(), countries: createTally() }
  const downloads = createTally()
  const errors = createTally()
  const vitals = createVitalCounts()

  function dayCounts(moment: number): DayCounts {
    const day = dayOf(moment)
    const counts = days.get(day) ?? {
      views: 0,
      visitors: new Set<string>(),
      downloads: 0,
      errors: 0,
    }
    days.set(day, counts)
    return counts
  }
  function addView(row: EventRow, place: string): void {
    const day = dayCounts(row.received_at)
    day.views += 1
    if (row.device_id) day.visitors.add(row.device_id)
    views.pages.add(pathOf(row.url), row.device_id)
    views.locales.add(row.locale || '-', row.device_id)
    views.countries.add(place, row.device_id)
  }
  return {
    days,
    devices,
    downloaders,
    views,
    downloads,
    errors,
    vitals,
    countries,
    add(row) {
      const place = row.country || '-'
      countries.add(place)
      if ((locale && row.locale !== locale) || (country && place !== country)) return
      const data = fieldsOf(row.data)
      if (!data) return
      if (row.device_id) devices.add(row.device_id)
      if (row.kind === 'view' && data.trigger === 'web-vitals')
        return vitals.add(routeOf(data), row.locale || '-', data.addition)
      if (row.kind === 'view') return addView(row, place)
      const system =
        row.kind === 'click' && data.key === 'download' ? systemOf(data.addition) : null
      if (system) {
        dayCounts(row.received_at).downloads += 1
        downloads.add(system, row.device_id)
        if (row.device_id) downloaders.add(row.device_id)
      }
      if (row.kind === 'error') {
        dayCounts(row.received_at).errors += 1
        errors.add(
          `${data.error_type}\n${data.trigger}\n${data.message.replaceAll('\n', ' ')}`,
          row.device_id,
        )
      }
    },
  }
}

const routeOf = ({ addition: { route } }: Fields): string =>
  typeof route === 'string' && /^[\w-]{1,64}$/.test(route) ? route : '-'
