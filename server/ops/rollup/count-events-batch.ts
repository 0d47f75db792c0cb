import { createHash } from 'node:crypto'
import { dayMs } from '../../../shared/constants'
import type { EventCountRow, EventKeyKind, Tables } from '../../db/tables'
import { downloadSystem, parseEventFields, pathOf, type EventFields } from './event-fields'

/** An event with what its context says about the visitor. */
type CountedEvent = Pick<
  Tables['events'],
  'received_at' | 'kind' | 'locale' | 'device_id' | 'url' | 'data'
> & { country: string; device: DeviceClass }
type DeviceClass = 'desktop' | 'phone' | 'tablet' | ''

/** What a visitor did on a day, as bits; each is also a metric of the funnel. */
const visitorSteps = { landed: 1, second: 2, prices: 4, register: 8 } as const
type VisitorStep = keyof typeof visitorSteps
const viewSteps = visitorSteps.landed | visitorSteps.second | visitorSteps.prices
// Cast: `Object.keys` does not keep the type of the keys.
const stepNames = Object.keys(visitorSteps) as VisitorStep[]

export const hourMs = 60 * 60 * 1000
export const startOfDay = (time: number): number => time - (time % dayMs)

/** What a batch of events adds to the tables. */
type Increments = {
  hours: ReadonlyMap<string, EventCountRow>
  days: ReadonlyMap<string, EventCountRow>
  keys: ReadonlyMap<string, Tables['event_keys']>
  errors: ReadonlyMap<string, Tables['error_groups']>
  /** The steps of each device and day of the batch, those from before included. */
  visitors: ReadonlyMap<string, Tables['visitor_days']>
}
export const visitorKey = (start: number, deviceId: string): string => `${start}\n${deviceId}`

/** Adds to the increments of a batch. `knownSteps`: steps of the devices so far. */
function createIncrements(knownSteps: ReadonlyMap<string, number>) {
  const hours = new Map<string, EventCountRow>()
  const days = new Map<string, EventCountRow>()
  const keys = new Map<string, Tables['event_keys']>()
  const visitors = new Map<string, Tables['visitor_days']>()

  function count(event: CountedEvent, metric: string): void {
    const { received_at, locale, country, device } = event
    for (const [rows, spanMs] of [
      [hours, hourMs],
      [days, dayMs],
    ] as const) {
      const start = received_at - (received_at % spanMs)
      const id = [metric, start, locale, country, device].join('\n')
      const row = rows.get(id) ?? { metric, start, locale, country, device, count: 0 }
      row.count += 1
      rows.set(id, row)
    }
  }
  function countKey(event: CountedEvent, kind: EventKeyKind, key: string): void {
    const { locale } = event
    const start = startOfDay(event.received_at)
    const id = [kind, start, key, locale].join('\n')
    const row = keys.get(id) ?? { kind, start, key, locale, count: 0 }
    row.count += 1
    keys.set(id, row)
  }
  /**
   * Counts a device once a day for each step that it reaches, and with its first view as visitor.
   */
  function reach(event: CountedEvent, step: VisitorStep): void {
    const { device_id } = event
    if (!device_id) return
    const start = startOfDay(event.received_at)
    const id = visitorKey(start, device_id)
    const before = visitors.get(id)?.steps ?? knownSteps.get(id) ?? 0
    if (step !== 'register' && (before & viewSteps) === 0) count(event, 'visitors')
    if ((before & visitorSteps[step]) === 0) count(event, `step-${step}`)
    visitors.set(id, { start, device_id, steps: before | visitorSteps[step] })
  }
  return { hours, days, keys, visitors, count, countKey, reach }
}
type Counter = ReturnType<typeof createIncrements>

function addView(counter: Counter, event: CountedEvent, { trigger }: EventFields): void {
  // Before web vitals had a table, they were stored as such events.
  if (trigger === 'web-vitals') return
  const path = pathOf(event.url)
  counter.count(event, 'views')
  counter.countKey(event, 'page', path)
  counter.reach(event, trigger === 'load' ? 'landed' : 'second')
  if (/\/(?:pricing|download)$/.test(path)) counter.reach(event, 'prices')
}

function addClick(counter: Counter, event: CountedEvent, fields: EventFields): void {
  const system = downloadSystem(event.kind, fields)
  if (system) {
    counter.count(event, 'downloads')
    counter.countKey(event, 'download', system)
  }
  if (fields.key === 'search-result')
    counter.countKey(event, 'search-click', pathOf(fields.target_url))
  if (/-register$|^plan-(?!period|currency|table)/.test(fields.key)) {
    counter.count(event, 'registrations')
    counter.reach(event, 'register')
  }
}

/** The group of an error: type, trigger and message. */
function errorGroup(at: number, { error_type, trigger, message }: EventFields) {
  const [what, line] = [trigger.slice(0, 100), message.replaceAll('\n', ' ').slice(0, 300)]
  const id = createHash('sha256')
    .update([error_type, what, line].join('\n'))
    .digest('hex')
    .slice(0, 32)
  return { id, error_type, what, message: line, first_at: at, last_at: at }
}

/** Counts events, oldest first. */
export function countEventsBatch(
  events: readonly CountedEvent[],
  knownSteps: ReadonlyMap<string, number>,
): Increments {
  const counter = createIncrements(knownSteps)
  const errors = new Map<string, Tables['error_groups']>()
  for (const event of events) {
    const fields = parseEventFields(event.data)
    if (!fields) continue
    if (event.kind === 'view') addView(counter, event, fields)
    else if (event.kind === 'click') addClick(counter, event, fields)
    else if (event.kind === 'error') {
      const group = errorGroup(event.received_at, fields)
      const { first_at } = errors.get(group.id) ?? group
      errors.set(group.id, { ...group, first_at })
      counter.count(event, 'errors')
      counter.countKey(event, 'error', group.id)
    }
  }
  const { hours, days, keys, visitors } = counter
  return { hours, days, keys, errors, visitors }
}
export const funnelMetrics = stepNames.map((name) => `step-${name}`)
