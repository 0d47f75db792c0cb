import { expect, it } from '@jest/globals'
import { startAnalytics } from '../../../client/analytics/analytics'
import { createConsent, followConsent } from '../../../client/analytics/consent'
import { createEventSender } from '../../../client/analytics/event-sender'
import { createEventStorage } from '../../../client/analytics/event-storage'
import { observeWhileAllowed } from '../../../client/analytics/observe-while-allowed'
import type { EventBatch, EventContext } from '../../../shared/analytics-event'
import { fakeClock } from '../../../testing/fake-clock'
import { memoryStorage } from '../../../testing/memory-storage'

/** Analytics of one page, with an observer that reports a view when it starts. */
function startPage(cookies: Record<string, string> = {}) {
  const clock = fakeClock()
  const memory = memoryStorage()
  const sent: string[] = []
  const consent = createConsent({
    cookies: {
      get: (name) => cookies[name] ?? null,
      set: (name, value) => void (cookies[name] = value),
      remove: (name) => void Reflect.deleteProperty(cookies, name),
    },
    privacyControl: false,
    countries: ['DE'],
  })
  const storage = createEventStorage(memory, 'tab')
  const sender = createEventSender({
    clock,
    storage,
    // The fields of a context are not part of what is tested.
    context: () => ({}) as EventContext,
    warn: () => undefined,
    transport: {
      encrypt: (batch) => Promise.resolve({ _t: '', _a: JSON.stringify(batch) }),
      post({ _a }) {
        for (const event of (JSON.parse(_a) as EventBatch).list)
          sent.push(event.kind === 'click' ? `click ${event.key}` : event.kind)
        return Promise.resolve()
      },
      beacon: () => true,
      forgetKey: () => undefined,
    },
  })
  const location = new URL('http://site.test/')
  const document = Object.assign(new EventTarget(), { title: '', visibilityState: 'visible' })
  // A fake of the few members that are used.
  const window = Object.assign(new EventTarget(), { document, location }) as unknown as Window
  const stopFollowing = followConsent(window, consent)
  let events = 0
  const { emit } = startAnalytics({
    consent,
    sender,
    storage,
    visit: () => ({ url: '', title: '', route: '', referrer: '', durationMs: 1 }),
    window,
    withLock: (run) => run(),
    now: () => clock.now() + (events += 1),
    uuid: () => `e${events}`,
  })
  let observers = 0
  const stop = observeWhileAllowed({
    consent,
    emit,
    observe() {
      observers += 1
      emit({ kind: 'view', trigger: 'load' })
      return () => (observers -= 1)
    },
  })
  const pass = async (): Promise<readonly string[]> => {
    await clock.pass(10_000)
    return sent.splice(0)
  }
  return {
    window,
    consent,
    pass,
    stop,
    stopFollowing,
    observers: () => observers,
    stored: () => memory.entries.size,
  }
}

it('where the visitor is asked nothing is observed; acceptance reports the page and the click', async () => {
  const { consent, pass, observers, stored } = startPage()
  consent.setCountry('DE')
  expect([await pass(), stored(), observers()]).toEqual([[], 0, 0])
  consent.decide('accepted')
  expect(observers()).toBe(1)
  expect(await pass()).toEqual(['view', 'click consent-accept'])
})

it('a visitor who is not asked is observed from the start', async () => {
  const { consent, pass, observers } = startPage()
  expect([await pass(), observers()]).toEqual([[], 1])
  consent.setCountry('US')
  expect([await pass(), observers()]).toEqual([['view'], 1])
})

it('a stored acceptance is no click', async () =>
  expect(await startPage({ consent: 'accepted' }).pass()).toEqual(['view']))

it('a refusal stops the observers and drops what was not sent', async () => {
  const { consent, pass, observers, stored } = startPage()
  consent.setCountry('US')
  expect(stored()).toBe(1)
  consent.decide('refused')
  expect([await pass(), stored(), observers()]).toEqual([[], 0, 0])
  consent.decide('accepted')
  expect(await pass()).toEqual(['view', 'click consent-accept'])
})

it.each([
  ['is shown again', (window: Window) => window.dispatchEvent(new Event('pageshow'))],
  ['gets the focus', (window: Window) => window.dispatchEvent(new Event('focus'))],
  [
    'becomes visible or hidden',
    ({ document }: Window) => document.dispatchEvent(new Event('visibilitychange')),
  ],
])('a page follows the answer of another page when it %s', async (_name, notify) => {
  const cookies: Record<string, string> = { device: 'd' }
  const { window, consent, pass, observers, stored } = startPage(cookies)
  consent.setCountry('DE')
  cookies['consent'] = 'accepted'
  notify(window)
  expect([consent.bannerVisible.get(), observers(), stored()]).toEqual([false, 1, 1])
  expect(await pass()).toEqual(['view'])
  cookies['consent'] = 'refused'
  notify(window)
  expect([await pass(), stored(), observers()]).toEqual([[], 0, 0])
  expect(cookies).toEqual({ consent: 'refused' })
})

it('after the end nothing is observed, and an acceptance starts nothing', () => {
  const { consent, stop, observers } = startPage()
  expect(observers()).toBe(1)
  stop()
  expect(observers()).toBe(0)
  consent.decide('accepted')
  expect(observers()).toBe(0)
})

it('a page that is left no longer follows the answers of other pages', () => {
  const cookies: Record<string, string> = {}
  const { window, consent, stopFollowing } = startPage(cookies)
  consent.setCountry('DE')
  stopFollowing()
  cookies['consent'] = 'accepted'
  for (const target of [window, window.document])
    for (const type of ['pageshow', 'focus', 'visibilitychange'])
      target.dispatchEvent(new Event(type))
  expect(consent.bannerVisible.get()).toBe(true)
})
