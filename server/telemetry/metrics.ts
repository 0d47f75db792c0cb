import type { ErrorName } from '../errors'
import { createHistogram, type Histogram } from './histogram'
import { createRequestCounts, type RequestCount } from './request-counts'

/** Durations of one kind, by the value of a label. */
type DurationHistograms = {
  observe: (value: string, durationMs: number) => void
  list: () => Array<{ value: string; histogram: Histogram }>
}

export type Metrics = {
  /**
   * A finished request, with the fields of its log line. Status 499: the client disconnected before
   * the end of the answer.
   */
  countRequest: (
    route: string,
    locale: string,
    cache: string,
    status: number,
    durationMs: number,
  ) => void
  /** A request that was refused or failed, by the name in the error catalogue. */
  countError: (name: ErrorName) => void
  /** Time to load the data of an answer, by its kind. */
  loads: DurationHistograms
  /** Time to render, by the kind of the answer. */
  renders: DurationHistograms
  /** Time to the first byte of the upstream, by outcome. */
  upstream: DurationHistograms
  /** All counts so far. */
  read: () => {
    requests: RequestCount[]
    durations: ReturnType<DurationHistograms['list']>
    errors: Array<[name: string, count: number]>
  }
}

function createDurationHistograms(): DurationHistograms {
  const histograms = new Map<string, Histogram>()
  return {
    observe(value, durationMs) {
      let histogram = histograms.get(value)
      if (!histogram) histograms.set(value, (histogram = createHistogram()))
      histogram.observe(durationMs / 1000)
    },
    list: () => [...histograms].map(([value, histogram]) => ({ value, histogram })),
  }
}

/**
 * What a process counts, as plain numbers. `server/ops/metrics/site-metrics.ts` turns them into
 * the metrics of `/_ops/metrics`.
 */
export function createMetrics(): Metrics {
  const requests = createRequestCounts()
  const durations = createDurationHistograms()
  const errors = new Map<string, number>()
  return {
    countRequest(route, locale, cache, status, durationMs) {
      requests.count(route, locale, cache, status)
      durations.observe(cache, durationMs)
    },
    countError: (name) => void errors.set(name, (errors.get(name) ?? 0) + 1),
    loads: createDurationHistograms(),
    renders: createDurationHistograms(),
    upstream: createDurationHistograms(),
    read: () => ({
      requests: requests.list(),
      durations: durations.list(),
      errors: [...errors],
    }),
  }
}
