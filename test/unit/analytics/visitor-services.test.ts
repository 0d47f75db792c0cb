import { afterEach, describe, expect, it } from '@jest/globals'
import { startAnalytics } from '../../../client/analytics/analytics'
import { startStatisticsSnippets } from '../../../client/analytics/statistics-snippets'
import { locateVisitor } from '../../../client/analytics/visitor-location'
import { watchViews } from '../../../client/analytics/watch-views'
import { startOneTap } from '../../../client/account/one-tap'
import { createStore } from '../../../client/platform/store'
import { loadDeferredServices } from '../../../client/shell/load-deferred-services'
import { createToasts } from '../../../client/shell/toasts'
import { oneTap } from '../../../shared/constants'
import type { BodyView } from '../../../shared/view'
import { fakeClock } from '../../../testing/fake-clock'
import { memoryStorage } from '../../../testing/memory-storage'

/** A page with the one-tap prompt, and what happens in it. */
function startPrompt(storage = memoryStorage(), startedAt = 0) {
  const clock = fakeClock()
  const page = {
    clock,
    storage,
    prompts: 0,
    scripts: 0,
    looks: 0,
    isVisible: false,
    failures: 0,
    cancels: 0,
    opened: [] as string[],
    warnings: [] as string[],
    stop: (): void => undefined,
    dismiss: (): void => undefined,
    signIn: (): void => undefined,
    nonce: (): Promise<unknown> => Promise.resolve({ nonce: 'n' }),
    answer: (): Promise<unknown> => Promise.resolve({ url: 'https://app.test/?cpl=t' }),
  }
  page.stop = startOneTap({
    clock,
    storage,
    api: {
      get: () => page.nonce(),
      postForm: () => page.answer(),
    },
    window: {
      google: {
        accounts: {
          id: {
            initialize: ({ callback }) => {
              page.signIn = () => callback({ credential: 'token' })
            },
            prompt: (onMoment) => {
              page.prompts += 1
              page.dismiss = () => onMoment?.({ isDismissedMoment: () => true })
            },
            cancel: () => void (page.cancels += 1),
          },
        },
      },
    },
    now: () => startedAt + clock.now(),
    config: {
      clientId: 'client',
      script: 'https://identity.test/client.js',
      authBase: '/api',
      takesNonce: true,
      appUrl: '/app',
      target: 'same',
    },
    applicationUrl: 'https://site.test/app',
    loadScript: () => Promise.resolve(void (page.scripts += 1)),
    encryptCredential: () => Promise.resolve('sealed'),
    signInDetails: () => ({ inviteCode: '', language: 'en-US', source: '', referer: '' }),
    isPromptVisible: () => {
      page.looks += 1
      return page.isVisible
    },
    openApplication: (url) => void page.opened.push(url),
    onFailure: () => (page.failures += 1),
    warn: (message) => void page.warnings.push(message),
  })
  return page
}

describe('the one-tap prompt', () => {
  it('comes 3 s after load', async () => {
    const page = startPrompt()
    await page.clock.pass(oneTap.promptDelayMs - 1)
    expect(page.prompts).toBe(0)
    await page.clock.pass(1)
    expect(page.prompts).toBe(1)
  })

  it('does not come again after a sign-in, which local storage remembers without the token', async () => {
    const page = startPrompt()
    await page.clock.pass(oneTap.promptDelayMs)
    page.signIn()
    await page.clock.pass(0)
    expect(page.opened).toEqual(['https://app.test/?cpl=t'])
    expect([...page.storage.entries]).toEqual([
      ['signed_in', '1'],
      ['user_id', ''],
    ])
    const next = startPrompt(page.storage)
    await next.clock.pass(oneTap.promptDelayMs)
    expect(next.prompts).toBe(0)
  })

  it.each([
    ['a frame that disappears', true],
    ['a dismissal that the provider reports', false],
  ])('pauses for 2 hours, 1 day, 7 days, then 28 days after %s', async (_name, byFrame) => {
    const storage = memoryStorage()
    const hour = 3_600_000
    let now = 0
    for (const pause of [2, 24, 7 * 24, 28 * 24, 28 * 24]) {
      const page = startPrompt(storage, now)
      await page.clock.pass(oneTap.promptDelayMs)
      expect([pause, page.prompts]).toEqual([pause, 1])
      if (byFrame) {
        page.isVisible = true
        await page.clock.pass(oneTap.pollIntervalMs)
        page.isVisible = false
        await page.clock.pass(oneTap.pollIntervalMs)
      } else page.dismiss()
      const dismissedAt = now + page.clock.now()
      now = dismissedAt + pause * hour - oneTap.promptDelayMs
      const early = startPrompt(storage, now - 1)
      await early.clock.pass(oneTap.promptDelayMs)
      expect([pause, early.prompts]).toEqual([pause, 0])
    }
    expect([...storage.entries.keys()]).toEqual(['one_tap_cooldown'])
  })

  it('looks for its frame every 500 ms for 20 minutes', async () => {
    const page = startPrompt()
    await page.clock.pass(oneTap.promptDelayMs + 3_600_000)
    expect(page.looks).toBe(oneTap.pollTimeoutMs / oneTap.pollIntervalMs)
  })

  it('shows a failure when the sign-in is refused', async () => {
    const page = startPrompt()
    page.answer = () => Promise.reject(new Error('a non-zero code'))
    await page.clock.pass(oneTap.promptDelayMs)
    page.signIn()
    await page.clock.pass(0)
    expect([page.failures, page.opened]).toEqual([1, []])
  })

  it.each([
    ['cannot be fetched', () => Promise.reject(new Error('away')), 'Error: away'],
    ['is missing in the answer', () => Promise.resolve({}), 'Error: the answer has no nonce'],
  ])('is left out with a warning when its nonce %s', async (_name, nonce, reason) => {
    const page = startPrompt()
    page.nonce = nonce
    await page.clock.pass(oneTap.promptDelayMs)
    expect([page.prompts, page.failures, page.warnings]).toEqual([
      0,
      0,
      [`the sign-in prompt could not be shown: ${reason}`],
    ])
  })

  it.each([
    ['before it comes', oneTap.promptDelayMs - 1, 0],
    ['while it is open', oneTap.promptDelayMs, 1],
  ])('is closed when it is stopped %s, and is not watched any more', async (_name, ms, prompts) => {
    const page = startPrompt()
    await page.clock.pass(ms)
    const { looks } = page
    page.stop()
    await page.clock.pass(3_600_000)
    expect([page.scripts, page.prompts, page.cancels, page.looks]).toEqual([
      prompts,
      prompts,
      1,
      looks,
    ])
  })

  it('does not come when it is stopped while its nonce is fetched', async () => {
    const page = startPrompt()
    let answer = (_data: unknown): void => undefined
    page.nonce = () => new Promise((resolve) => (answer = resolve))
    await page.clock.pass(oneTap.promptDelayMs)
    page.stop()
    answer({ nonce: 'n' })
    await page.clock.pass(0)
    expect(page.prompts).toBe(0)
  })

  it.each([
    ['a number', 42, '42'],
    ['text', 'ab-1_C', 'ab-1_C'],
    ['text with other characters', 'a b', ''],
    ['too long', 'a'.repeat(65), ''],
    ['something else', { id: 1 }, ''],
  ])("stores the backend's id of the visitor, which is %s", async (_name, user_id, stored) => {
    const page = startPrompt()
    page.answer = () => Promise.resolve({ cpl: 't', user_id })
    await page.clock.pass(oneTap.promptDelayMs)
    page.signIn()
    await page.clock.pass(0)
    expect([page.opened, page.storage.entries.get('user_id')]).toEqual([
      ['https://site.test/app?cpl=t'],
      stored,
    ])
  })
})

describe('toasts', () => {
  it('are three at most', () => {
    const toasts = createToasts(fakeClock())
    for (const text of ['a', 'b', 'c', 'd']) toasts.show(text)
    expect(toasts.list.get().map(({ text }) => text)).toEqual(['b', 'c', 'd'])
  })
})

describe('statistics snippets', () => {
  it('load pictures, and scripts one after the other, once measuring is allowed', async () => {
    const allowed = createStore<boolean | null>(null)
    const [loaded, failures]: [string[], string[]] = [[], []]
    let finish = (): void => undefined
    startStatisticsSnippets({
      consent: { allowed },
      statistics: { head: ['/a.js', '/broken.js'], body: ['/b.js'], pixels: ['/p.gif'] },
      loadScript: (address) => {
        loaded.push(address)
        if (address === '/broken.js') return Promise.reject(new Error('no'))
        return new Promise<void>((resolve) => (finish = resolve))
      },
      loadPicture: (address) => void loaded.push(address),
      onFailure: (message) => failures.push(message),
    })
    const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
    allowed.set(false)
    await settle()
    expect(loaded).toEqual([])
    allowed.set(true)
    await settle()
    expect(loaded).toEqual(['/p.gif', '/a.js'])
    finish()
    await settle()
    expect(loaded).toEqual(['/p.gif', '/a.js', '/broken.js', '/b.js'])
    expect(failures).toEqual(['statistics snippet: Error: no'])
  })
})

/** A window without a document of elements: events reach it, and it has an address. */
const fakeWindow = () =>
  Object.assign(new EventTarget(), {
    document: Object.assign(new EventTarget(), {
      title: 'Title',
      visibilityState: 'visible',
    }),
    location: { href: 'https://site.test/faq' },
  }) as unknown as Window & { document: Document; location: Location }

describe('analytics events', () => {
  it('of views are sent at load, after a return from the back/forward cache, and at each navigation', () => {
    const window = fakeWindow()
    const views: unknown[] = []
    let navigate = (_detail: { trigger: string }): void => undefined
    watchViews({
      window,
      emit: ({ kind, trigger }) => void views.push([kind, trigger]),
      route: () => 'faq',
      onNavigation: (listener) => {
        navigate = listener as typeof navigate
        return () => undefined
      },
    })
    for (const persisted of [false, true])
      window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }))
    for (const trigger of ['push', 'replace', 'pop']) navigate({ trigger })
    expect(views).toEqual(
      ['load', 'bfcache', 'push', 'replace', 'pop'].map((trigger) => ['view', trigger]),
    )
  })

  /** Started analytics, and the calls of its sender and storage. */
  function start(allowed: boolean | null) {
    const window = fakeWindow()
    const consent = { allowed: createStore(allowed) }
    const calls: string[] = []
    let ids = 0
    const analytics = startAnalytics({
      consent,
      sender: {
        add: ({ id }) => void calls.push(`add ${id}`),
        flush: () => Promise.resolve(void calls.push('flush')),
        flushWithBeacon: () => Promise.resolve(void calls.push('beacon')),
        discard: () => undefined,
        stop: () => void calls.push('stop'),
      },
      storage: {
        store: () => undefined,
        acknowledge: () => undefined,
        takeOrphaned: () => [],
        clear: () => void calls.push('clear'),
      },
      visit: () => ({ url: '', title: '', route: '', referrer: '', durationMs: 0 }),
      window,
      withLock: (run) => run(),
      now: () => 0,
      uuid: () => `id-${(ids += 1)}`,
    })
    return { window, consent, calls, ...analytics }
  }

  it('are announced on window; a refusal deletes what is stored and ends them', () => {
    const { window, consent, calls, emit } = start(true)
    const announced: unknown[] = []
    window.addEventListener('event-emitted', (event) =>
      announced.push((event as CustomEvent<unknown>).detail),
    )
    emit({ kind: 'view', trigger: 'load' })
    expect([announced, calls]).toEqual([
      [{ id: 'id-1', kind: 'view', trigger: 'load' }],
      ['add id-1'],
    ])
    consent.allowed.set(false)
    emit({ kind: 'view', trigger: 'push' })
    expect(calls).toEqual(['add id-1', 'clear'])
  })

  it.each([
    [true, ['beacon', 'beacon', 'flush']],
    [false, []],
  ])(
    'are sent when the page is hidden or left and when the network returns (allowed: %j), until the end',
    (allowed, sent) => {
      const { window, calls, stop } = start(allowed)
      calls.length = 0
      const changeAll = (): void => {
        window.document.dispatchEvent(new Event('visibilitychange'))
        Object.assign(window.document, { visibilityState: 'hidden' })
        window.document.dispatchEvent(new Event('visibilitychange'))
        for (const type of ['pagehide', 'online']) window.dispatchEvent(new Event(type))
      }
      changeAll()
      expect(calls).toEqual(sent)
      stop()
      changeAll()
      expect(calls).toEqual([...sent, 'stop'])
    },
  )
})

describe('the deferred services', () => {
  afterEach(() => {
    for (const name of ['window', 'document']) Reflect.deleteProperty(globalThis, name)
  })
  it('of a prerendered page are loaded when the visitor opens it', () => {
    const window = fakeWindow()
    const { document, location } = window
    let loads = 0
    Object.assign(document, { prerendering: true, readyState: 'complete' })
    Object.assign(window, { requestIdleCallback: () => void (loads += 1) })
    Object.assign(location, { pathname: '/faq' })
    Object.assign(globalThis, { window, document })
    // Fakes of the members that are used: none before the browser is idle.
    loadDeferredServices({} as BodyView, '/faq', { take: () => [] })
    expect(loads).toBe(0)
    document.dispatchEvent(new Event('prerenderingchange'))
    expect(loads).toBe(1)
  })
})

describe("the visitor's location", () => {
  /** Locates a visitor with an answer of the server; an error when it cannot be reached. */
  async function locate(answer: unknown, stored?: unknown) {
    const storage = memoryStorage()
    if (stored !== undefined) storage.set('place', JSON.stringify(stored))
    const countries: string[] = []
    const location = locateVisitor(
      {
        get: () => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)),
      },
      {
        setCountry: (country) => void countries.push(country),
        bannerVisible: createStore(false),
        allowed: createStore<boolean | null>(true),
      },
      storage,
      () => now,
    )
    const ip = await location.ip()
    return { ip, countries, current: location.current(), stored: storage.get('place') }
  }
  const now = 10_000_000
  const france = { country: 'FR' }

  it('is stored once the server has told it', async () => {
    const place = { locale: 'de', country: 'DE', city: 'Bonn', region: '', timezone: '' }
    const data = { ip: '5.9.0.1', language: 'de', ip_data: { country: 'DE', city: 'Bonn' } }
    expect(await locate(data)).toEqual({
      ip: '5.9.0.1',
      countries: ['DE'],
      current: place,
      stored: JSON.stringify({ at: now, place }),
    })
  })

  it.each([
    ['unknown where nothing is stored', undefined, {}, ['']],
    ['the stored one for an hour', { at: now - 3_599_999, place: france }, france, ['FR', 'FR']],
    ['unknown where an hour has passed', { at: now - 3_600_000, place: france }, {}, ['']],
    ['unknown where the time is in the future', { at: now + 1, place: france }, {}, ['']],
    ['unknown where no location is stored', { at: now, place: null }, {}, ['']],
    ['without what is not text', { at: now, place: { country: 1 } }, { country: '' }, ['', '']],
  ])('is %s when the server cannot be reached', async (_name, stored, current, countries) => {
    expect(await locate(new Error('away'), stored)).toMatchObject({ ip: '', countries, current })
  })
})
