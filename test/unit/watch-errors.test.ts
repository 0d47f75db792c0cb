import { beforeEach, expect, it } from '@jest/globals'
import { keepEarlyFailures } from '../../client/analytics/early-failures'
import { failedLoads } from '../../client/analytics/failed-loads'
import { watchErrors } from '../../client/analytics/watch-errors'
import type { EventDraft } from '../../shared/analytics-event'

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

/** A window as far as failures need one: events, and what the browser has noted. */
function pageWith(entries: readonly PerformanceEntry[] = []) {
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

/** What no event of these tests has for a target. */
class NoElement extends EventTarget {}

let drafts: EventDraft[]
let navigate: () => void
const start = (page: ReturnType<typeof pageWith>, early = keepEarlyFailures(page, 10)) =>
  watchErrors({
    page,
    early,
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

it('reports what happened before it was started, once, and what happens afterwards', () => {
  const page = pageWith()
  const early = keepEarlyFailures(page, 10)
  page.dispatchEvent(request('/api/a'))
  page.dispatchEvent(
    Object.assign(new Event('unhandledrejection'), { reason: new TypeError('too early') }),
  )
  const watch = start(page, early)
  expect(messages()).toEqual(['/api/a: code 1: no', 'TypeError: too early'])
  page.dispatchEvent(request('/api/a'))
  page.dispatchEvent(request('/api/b'))
  expect(messages()).toEqual(['/api/a: code 1: no', 'TypeError: too early', '/api/b: code 1: no'])
  watch.stop()
  page.dispatchEvent(request('/api/c'))
  expect(drafts).toHaveLength(3)
})

it('keeps no more than a page reports', () => {
  const page = pageWith()
  const early = keepEarlyFailures(page, 10)
  for (let index = 0; index < 30; index += 1) page.dispatchEvent(request(`/api/${index}`))
  expect(early.take()).toHaveLength(10)
  page.dispatchEvent(request('/api/late'))
  expect(early.take()).toEqual([])
})

it('reports files that failed before any script ran, in the words of an element that failed', () => {
  start(
    pageWith([
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

it('takes nothing for a failure that it cannot know', () => {
  expect(
    failedLoads(
      pageWith([
        entry('script', 'https://other.test/opaque.js', 0), // keeps its status to itself
        entry('img', `${origin}/old-browser.png`, undefined),
        entry('fetch', `${origin}/api/x`, 500), // reported by who asked
        entry('beacon', `${origin}/api/x`, 0),
      ]),
    ),
  ).toEqual([])
})

it('reports ten failures a page, and begins anew with the next', () => {
  const page = pageWith()
  start(page)
  for (let index = 0; index < 15; index += 1) page.dispatchEvent(request(`/api/${index}`))
  expect(drafts).toHaveLength(10)
  navigate()
  page.dispatchEvent(request('/api/0'))
  expect(drafts).toHaveLength(11)
})
