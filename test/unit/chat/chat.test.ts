import { describe, expect, it } from '@jest/globals'
import { chat as timing } from '../../../shared/constants'
import { startChat, type Chat, type ChatState } from '../../../client/chat/chat'
import type { ChatGlobals } from '../../../client/chat/known-widgets'
import { fakeClock } from '../../../testing/fake-clock'

type Started = {
  chat: Chat
  states: ChatState[]
  heights: number[]
  loaded: string[]
  warnings: string[]
  clock: ReturnType<typeof fakeClock>
}

/**
 * A started chat. `height`: what the script shows; `load`: what happens when a script is loaded.
 */
function start({
  globals = {},
  height = () => 0,
  load = () => Promise.resolve(),
  answer = { chat: 'other', chat_info: { js: 'https://chat.test/main.js' } },
  defaultScript = '',
  isExpected = true,
  skipIp = '',
}: {
  globals?: ChatGlobals
  height?: () => number
  load?: (address: string) => Promise<unknown>
  answer?: unknown
  defaultScript?: string
  isExpected?: boolean
  skipIp?: string
}): Started {
  const clock = fakeClock()
  const [states, heights, loaded, warnings]: [ChatState[], number[], string[], string[]] = [
    [],
    [],
    [],
    [],
  ]
  const chat = startChat({
    api: {
      get: () => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)),
    },
    language: 'en-US',
    isChinese: false,
    ip: () => Promise.resolve('8.8.8.8'),
    skipIp,
    defaultScript,
    isExpected,
    clock,
    window: globals,
    loadScript(address) {
      loaded.push(address)
      return load(address)
    },
    watchWidgetHeight: () => height,
    onButtonHeight: (px) => heights.push(px),
    warn: (message) => warnings.push(message),
  })
  chat.state.subscribe(() => states.push(chat.state.get()))
  return { chat, states, heights, loaded, warnings, clock }
}

/** Calls of a stand-in, in order. */
const recorder = () => {
  const calls: unknown[][] = []
  const record =
    (...names: unknown[]) =>
    (...given: unknown[]) =>
      void calls.push([...names, ...given])
  return { calls, record }
}
type Recorder = ReturnType<typeof recorder>['record']

/** What each provider's public documentation says. All were read on 2026-11-22. */
const providers: ReadonlyArray<{
  name: string
  source: string
  globals: (record: Recorder) => ChatGlobals
  opened: unknown[]
}> = [
  {
    name: 'SaleSmartly',
    source: 'https://help.salesmartly.com, SaleSmartly JSSDK 2.3',
    globals: (record) => ({
      ssq: { push: (name, listener) => void (listener ?? record('push', name))() },
    }),
    opened: ['push', 'chatOpen'],
  },
  {
    name: 'Easemob',
    source: 'https://github.com/easemob/kefu-webim, src/js/plugin/userAPI.js',
    globals: (record) => ({ easemobim: { config: { configId: 'a' }, bind: record('bind') } }),
    opened: ['bind', { configId: 'a' }],
  },
  {
    name: 'tawk.to',
    source: 'https://developer.tawk.to/jsapi',
    globals: (record) => ({ Tawk_API: { maximize: record('maximize') } }),
    opened: ['maximize'],
  },
  {
    name: 'Crisp',
    source: 'https://docs.crisp.chat/guides/chatbox-sdks/web-sdk/dollar-crisp/',
    globals: (record) => ({ $crisp: { push: record('push'), is: () => false } }),
    opened: ['push', ['do', 'chat:open']],
  },
  {
    name: 'Tidio',
    source: 'https://developers.tidio.com/docs/widget-other-methods',
    globals: (record) => ({ tidioChatApi: { open: record('open') } }),
    opened: ['open'],
  },
  {
    name: 'HubSpot',
    source:
      'https://developers.hubspot.com/docs/api-reference/conversations-chat-configuration/chat-widget-sdk',
    globals: (record) => ({ HubSpotConversations: { widget: { open: record('open') } } }),
    opened: ['open'],
  },
  {
    name: 'LiveChat',
    source: 'https://platform.text.com/docs/extending-chat-widget/javascript-api',
    globals: (record) => ({ LiveChatWidget: { call: record('call') } }),
    opened: ['call', 'maximize'],
  },
  {
    name: 'JivoChat',
    source: 'https://www.jivochat.com/docs/widget/',
    globals: (record) => ({ jivo_api: { open: record('open') } }),
    opened: ['open'],
  },
  {
    name: 'Intercom',
    source: 'https://developers.intercom.com/installing-intercom/web/methods',
    globals: (record) => ({ Intercom: record('Intercom') }),
    opened: ['Intercom', 'show'],
  },
  {
    name: 'Zendesk',
    source: 'https://developer.zendesk.com/api-reference/widget-messaging/web/core',
    globals: (record) => ({ zE: record('zE') }),
    opened: ['zE', 'messenger', 'open'],
  },
]

describe('the chat button', () => {
  it.each(providers)('opens $name with the call of $source', async ({ globals, opened }) => {
    const { calls, record } = recorder()
    const { chat, clock, states } = start({ globals: globals(record) })
    await clock.pass(timing.idleDelayMs)
    expect(states).toEqual(['ready'])
    expect([chat.open(), calls.at(-1)]).toEqual(['chat', opened])
  })

  it('prefers the configured provider among several', async () => {
    const { calls, record } = recorder()
    const { chat, clock } = start({
      globals: { ssq: { push: () => undefined }, easemobim: { bind: record('bind') } },
      answer: { chat: 'HUAN_XIN', chat_info: { js: 'https://chat.test/easemob.js' } },
    })
    await clock.pass(timing.idleDelayMs)
    chat.open()
    expect(calls).toEqual([['bind', {}]])
  })

  it("takes a queue from before the provider's script has run for no widget", async () => {
    const globals = { ssq: [] as unknown as NonNullable<ChatGlobals['ssq']> }
    const { chat, clock } = start({ globals })
    await clock.pass(timing.idleDelayMs + timing.pollIntervalMs)
    expect(chat.state.get()).toBe('loading')
  })

  it('follows what the provider reports where nothing of it is visible', async () => {
    const listeners: Record<string, () => void> = {}
    const ssq = {
      push(name: string, listener?: () => void) {
        if (listener) listeners[name] = listener
      },
    }
    const { chat, clock, states } = start({ globals: { ssq } })
    await clock.pass(timing.idleDelayMs + timing.pollIntervalMs)
    expect(chat.state.get()).toBe('loading')
    for (const name of ['onReady', 'onOpenChat', 'onCloseChat']) {
      listeners[name]?.()
      await clock.pass(timing.pollIntervalMs)
    }
    expect(states).toEqual(['ready', 'open', 'ready'])
  })

  it('is hidden while a visible conversation is high, and reports the height of its button', async () => {
    let px = 60
    const { clock, states, heights } = start({
      globals: { tidioChatApi: { open: () => undefined } },
      height: () => px,
    })
    await clock.pass(timing.idleDelayMs)
    px = 500
    await clock.pass(timing.pollIntervalMs)
    px = 70
    await clock.pass(timing.pollIntervalMs)
    expect([states, heights]).toEqual([
      ['ready', 'open', 'ready'],
      [60, 0, 70],
    ])
  })

  it('opens the panel after 4 s of a script that hangs, and the chat when it comes late', async () => {
    const globals: ChatGlobals = {}
    const { chat, clock, states } = start({ globals, load: () => new Promise(() => undefined) })
    await clock.pass(timing.idleDelayMs + 3900)
    expect([states, chat.state.get()]).toEqual([[], 'loading'])
    await clock.pass(1000)
    expect([chat.state.get(), chat.open()]).toEqual(['none', 'panel'])
    globals.tidioChatApi = { open: () => undefined }
    await clock.pass(timing.pollIntervalMs)
    expect([chat.state.get(), chat.open()]).toEqual(['ready', 'chat'])
  })

  it('looks every 500 ms for 10 minutes for a widget that shows no sign', async () => {
    const { clock, heights, warnings } = start({})
    await clock.pass(timing.idleDelayMs + 3_600_000)
    expect([heights.length, timing.maxPolls * timing.pollIntervalMs, warnings]).toEqual([
      timing.maxPolls,
      600_000,
      ['the chat did not report ready'],
    ])
  })

  it('opens the panel at once on a page that was made without a chat', () => {
    const { chat } = start({ isExpected: false })
    expect([chat.state.get(), chat.open()]).toEqual(['none', 'panel'])
  })

  it.each([
    [
      'the configured script fails',
      { chat: 'SS_HUMAN', chat_info: { js: 'https://chat.test/a.js' } },
    ],
    ['the configuration fails', new Error('no')],
  ])('opens the widget of the default script when %s', async (_name, answer) => {
    const { chat, clock, loaded } = start({
      globals: { jivo_api: { open: () => undefined } },
      answer,
      defaultScript: 'https://chat.test/default.js',
      load: (address) =>
        address.endsWith('default.js') ? Promise.resolve() : Promise.reject(new Error('no')),
    })
    await clock.pass(timing.idleDelayMs)
    expect(loaded.at(-1)).toBe('https://chat.test/default.js')
    expect(chat.open()).toBe('chat')
  })

  it.each([
    ['"//chat.test/a.js"', 'https://chat.test/a.js'],
    [
      '<script src="https://chat.test/a.js?x=1"></script> https://b.test/b.js',
      'https://chat.test/a.js?x=1',
    ],
    ['http://chat.test/a.js', 'https://chat.test/default.js'],
    ['https://chat.test/a.css', 'https://chat.test/default.js'],
  ])('loads of %s the script %s', async (js, script) => {
    const { clock, loaded } = start({
      answer: { chat: 'other', chat_info: { js } },
      defaultScript: 'https://chat.test/default.js',
    })
    await clock.pass(timing.idleDelayMs - 1)
    expect(loaded).toEqual([])
    await clock.pass(1)
    expect(loaded).toEqual([script])
  })

  it('counts a widget with calls that reports nothing as ready after 4 s', async () => {
    const { chat, clock } = start({ globals: { ssq: { push: () => undefined } } })
    await clock.pass(timing.idleDelayMs + 3900)
    expect(chat.state.get()).toBe('loading')
    await clock.pass(600)
    expect(chat.state.get()).toBe('ready')
  })

  it.each([
    ['the visitor has the skipped address', { skipIp: '8.8.8.8' }],
    ['no chat is configured', { answer: { chat: 'other', chat_info: {} } }],
  ])('opens the panel and loads no script when %s', async (_name, options) => {
    const { chat, clock, loaded, states } = start({
      ...options,
      defaultScript: 'https://chat.test/default.js',
    })
    await clock.pass(timing.idleDelayMs)
    expect([states, chat.open(), loaded]).toEqual([['none'], 'panel', []])
  })

  it("configures Easemob before its script runs, keeps the page's own values and hides its button", async () => {
    const globals: ChatGlobals = { easemobim: { config: { tenantId: 'own', configId: 'own' } } }
    const configured: unknown[] = []
    const { clock } = start({
      globals,
      answer: {
        chat: 'HUAN_XIN',
        chat_info: { js: "'https://chat.test/easemob.js' configId: 'ab-12'" },
      },
      load: () => Promise.resolve(void configured.push(globals.easemobim?.config)),
    })
    await clock.pass(timing.idleDelayMs)
    expect(configured).toEqual([{ tenantId: 'own', configId: 'ab-12', hide: true }])
  })

  it('is looked for no more after the end', async () => {
    const { chat, clock, heights, loaded } = start({})
    await clock.pass(timing.idleDelayMs + timing.pollIntervalMs)
    const polls = heights.length
    chat.stop()
    await clock.pass(timing.idleDelayMs)
    expect([polls, heights.length, loaded.length]).toEqual([2, 2, 1])
  })

  it('opens the panel when no script loads', async () => {
    const { chat, clock } = start({ load: () => Promise.reject(new Error('no')) })
    await clock.pass(timing.idleDelayMs)
    expect([chat.state.get(), chat.open()]).toEqual(['none', 'panel'])
  })
})
