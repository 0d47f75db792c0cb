import { describe, expect, it } from '@jest/globals'
import { startAnalytics } from '../../../client/analytics/analytics'
import { startStatisticsSnippets } from '../../../client/analytics/statistics-snippets'
import { watchViews } from '../../../client/analytics/watch-views'
import { startOneTap } from '../../../client/account/one-tap'
import { createStore } from '../../../client/platform/store'
import { createToasts } from '../../../client/shell/toasts'
import { oneTap } from '../../../shared/constants'
import { fakeClock } from '../../../testing/fake-clock'
import { memoryStorage } from '../../../testing/memory-storage'

/** A page with the one-tap prompt, and what happens in it. */
function startPrompt(storage = memoryStorage(), startedAt = 0) {
  const clock = fakeClock()
  const page = {
    clock,
    storage,
    prompts: 0,
    looks: 0,
    isVisible: false,
    failures: 0,
    opened: [] as string[],
    dismiss: (): void => undefined,
    signIn: (): void => undefined,
    answer: (): Promise<unknown> => Promise.resolve({ url: 'https://app.test/?cpl=t' }),
  }
  startOneTap({
    clock,
    storage,
    api: {
      get: () => Promise.resolve({ nonce: 'n' }),
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
            cancel: () => undefined,
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
    loadScript: () => Promise.resolve(),
    encryptCredential: () => Promise.resolve('sealed'),
    signInDetails: () => ({ inviteCode: '', language: 'en-US', source: '', referer: '' }),
    isPromptVisible: () => {
      page.looks += 1
      return page.isVisible
    },
    openApplication: (url) => void page.opened.push(url),
    onFailure: () => (page.failures += 1),
    warn: () => undefined,
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
      prerendering: false,
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

  it('are announced on window; a refusal deletes what is stored and ends them', () => {
    const window = fakeWindow()
    const allowed = createStore<boolean | null>(true)
    const [announced, added]: [unknown[], string[]] = [[], []]
    let cleared = 0
    window.addEventListener('event-emitted', (event) =>
      announced.push((event as CustomEvent<unknown>).detail),
    )
    let ids = 0
    const { emit } = startAnalytics({
      consent: { allowed },
      sender: {
        add: ({ id }) => void added.push(id),
        flush: () => Promise.resolve(),
        flushWithBeacon: () => Promise.resolve(),
        discard: () => undefined,
        stop: () => undefined,
      },
      storage: {
        store: () => undefined,
        acknowledge: () => undefined,
        takeOrphaned: () => [],
        clear: () => (cleared += 1),
      },
      visit: () => ({ referrer: '', durationMs: 0 }),
      window,
      withLock: (run) => run(),
      now: () => 0,
      uuid: () => `id-${(ids += 1)}`,
    })
    emit({ kind: 'view', trigger: 'load' })
    expect([announced, added]).toEqual([[{ id: 'id-1', kind: 'view', trigger: 'load' }], ['id-1']])
    allowed.set(false)
    emit({ kind: 'view', trigger: 'push' })
    expect([added, cleared]).toEqual([['id-1'], 1])
  })
})
