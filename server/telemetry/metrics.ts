import type { ErrorName } from '../errors'
import { createHistogram, type Histogram } from './histogram'
import { createRequestCounts, type RequestCount } from './request-counts'

/** Times of one kind by a label's value. */
type Times = {
  observe: (value: string, milliseconds: number) => void
  list: () => Array<{ value: string; histogram: Histogram }>
}

export type Metrics = {
  /** A finished request, with what its log line says of it. 499: its client had gone. */
  request: (
    route: string,
    locale: string,
    cache: string,
    status: number,
    milliseconds: number,
  ) => void
  /** Something was refused or failed, by its name in the catalogue. */
  refused: (reason: ErrorName) => void
  /** Time to load what a page shows, by what is made of it; to render it; until the upstream's first byte, by outcome. */
  loads: Times
  renders: Times
  upstream: Times
  /** Everything that was counted so far. */
  read: () => {
    requests: RequestCount[]
    durations: ReturnType<Times['list']>
    refusals: Array<[reason: string, count: number]>
  }
}

function createTimes(): Times {
  const known = new Map<string, Histogram>()
  return {
    observe(value, milliseconds) {
      let histogram = known.get(value)
      if (!histogram) known.set(value, (histogram = createHistogram()))
      histogram.observe(milliseconds / 1000)
    },
    list: () => [...known].map(([value, histogram]) => ({ value, histogram })),
  }
}

/** What a process counts while it works: plain numbers. `metric-families.ts` gives them names, `/_ops/metrics` hands them out. */
export function createMetrics(): Metrics {
  const requests = createRequestCounts()
  const durations = createTimes()
  const refusals = new Map<string, number>()
  return {
    request(route, locale, cache, status, milliseconds) {
      requests.count(route, locale, cache, status)
      durations.observe(cache, milliseconds)
    },
    refused: (reason) => void refusals.set(reason, (refusals.get(reason) ?? 0) + 1),
    loads: createTimes(),
    renders: createTimes(),
    upstream: createTimes(),
    read: () => ({
      requests: requests.list(),
      durations: durations.list(),
      refusals: [...refusals],
    }),
  }
}
