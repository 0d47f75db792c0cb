import type { AnalyticsEvent } from '../shared/analytics-event'

/** Returns a function that creates views with the ids `e1`, `e2` …; `extra` replaces fields. */
export function createEvents(): (extra?: Partial<AnalyticsEvent>) => AnalyticsEvent {
  let count = 0
  return (extra = {}) =>
    ({
      id: `e${(count += 1)}`,
      ts: count,
      kind: 'view',
      op: 0,
      url: 'http://site.test/',
      title: '',
      referrer: '',
      duration: 0,
      trigger: 'load',
      addition: {},
      ...extra,
    }) as AnalyticsEvent
}
