import { beforeEach, expect, it } from '@jest/globals'
import { collectEarlyFailures } from '../../../client/analytics/early-failures'
import { findFailedResources } from '../../../client/analytics/failed-resources'
import { watchErrors } from '../../../client/analytics/watch-errors'
import type { PreloadFailure } from '../../../client/navigation/preload-error'
import type { EventDraft } from '../../../shared/analytics-event'

const entry = (
  initiatorType: string,
  name: string,
  responseStatus: number | undefined,
  bytes = 0,
): PerformanceEntry =>
  ({
    initiatorType,
    name,
    responseStatus,
    transferSize: bytes,
    decodedBodySize: bytes,
  }) as unknown as PerformanceEntry
const origin = 'https://site.test'

/** A window with the parts that error reports use: events and resource timing. */
function windowWith(entries: readonly PerformanceEntry[] = []) {
  const target = new EventTarget()
  return Object.assign(target, {
    performance: { getEntriesByType: () => [...entries] },
    location: { origin },
  }) as unknown as Window & { performance: Performance }
}
const request = (path: string): Event =>
  new CustomEvent('request-failed', {
    detail: { trigger: 'res error', path, message: 'code 1: no' },
  })

/** Stands in for DOM classes; the events of these tests have no such target. */
class NoElement extends EventTarget {}

let drafts: EventDraft[]
let navigate: () => void
const start = (
  window: ReturnType<typeof windowWith>,
  earlyFailures = collectEarlyFailures(window, 10),
) =>
  watchErrors({
    window,
    earlyFailures,
    buildId: 'b1',
    emit: (draft) => void drafts.push(draft),
    onNavigation: (listener) => ((navigate = listener), () => undefined),
  })
const messages = (): unknown[] => drafts.map((draft) => ('message' in draft ? draft.message : null))

beforeEach(() => {
  drafts = []
  Object.assign(globalThis, {
    document: { baseURI: `${origin}/` },
    Element: NoElement,
    HTMLImageElement: NoElement,
    ErrorEvent: class extends Event {},
  })
})

it('reports failures from before its start once, and later ones', () => {
  const window = windowWith()
  const early = collectEarlyFailures(window, 10)
  window.dispatchEvent(request('/api/a'))
  window.dispatchEvent(
    Object.assign(new Event('unhandledrejection'), { reason: new TypeError('too early') }),
  )
  const watch = start(window, early)
  expect(messages()).toEqual(['/api/a: code 1: no', 'TypeError: too early'])
  window.dispatchEvent(request('/api/a'))
  window.dispatchEvent(request('/api/b'))
  expect(messages()).toEqual(['/api/a: code 1: no', 'TypeError: too early', '/api/b: code 1: no'])
  watch.stop()
  window.dispatchEvent(request('/api/c'))
  expect(drafts).toHaveLength(3)
})

it('reports what could not be fetched ahead with its kind, address and error', () => {
  const window = windowWith()
  start(window)
  const error = new TypeError('Failed to fetch')
  const detail: PreloadFailure = { kind: 'payload', url: '/pricing', error }
  window.dispatchEvent(new CustomEvent('preload-error', { detail }))
  expect(messages()).toEqual(['preload-error payload /pricing: TypeError: Failed to fetch'])
})

it('collects no more failures than a page reports', () => {
  const window = windowWith()
  const early = collectEarlyFailures(window, 10)
  for (let index = 0; index < 30; index += 1) window.dispatchEvent(request(`/api/${index}`))
  expect(early.take()).toHaveLength(10)
  window.dispatchEvent(request('/api/late'))
  expect(early.take()).toEqual([])
})

it('reports files that failed before any script ran like failed elements', () => {
  start(
    windowWith([
      entry('img', `${origin}/missing.png`, 404, 300),
      entry('css', `${origin}/back.png`, 500),
      entry('script', `${origin}/gone.js`, 0),
      entry('img', `${origin}/fine.png`, 200, 5000),
    ]),
  )
  expect(messages()).toEqual([
    'img https://site.test/missing.png',
    'css https://site.test/back.png',
    'script https://site.test/gone.js',
  ])
  expect(drafts.map((draft) => ('error_type' in draft ? draft.error_type : 0))).toEqual([
    100101, 100101, 100101,
  ])
})

it('does not report resources whose status is unknown', () => {
  expect(
    findFailedResources(
      windowWith([
        entry('script', 'https://other.test/opaque.js', 0), // hides its status
        entry('img', `${origin}/old-browser.png`, undefined),
        entry('fetch', `${origin}/api/x`, 500), // reported by its caller
        entry('beacon', `${origin}/api/x`, 0),
      ]),
    ),
  ).toEqual([])
})

it('reports ten failures per page and starts again with the next page', () => {
  const window = windowWith()
  start(window)
  for (let index = 0; index < 15; index += 1) window.dispatchEvent(request(`/api/${index}`))
  expect(drafts).toHaveLength(10)
  navigate()
  window.dispatchEvent(request('/api/0'))
  expect(drafts).toHaveLength(11)
})
