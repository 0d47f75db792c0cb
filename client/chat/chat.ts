import { chat as times } from '../../shared/constants'
import type { ApiClient } from '../platform/api-client'
import { chatProvider, type ChatProvider, type ProviderPage } from './chat-providers'
import type { Clock } from '../platform/clock'
import { createStore, type Store } from '../platform/store'

/**
 * `idle`: nothing of a chat is loaded; `loading`; `ready`: the widget reports ready or closed; `open`: it covers the corner; `none`: no chat is
 * configured, so the site's own message panel serves.
 */
export type ChatState = 'idle' | 'loading' | 'ready' | 'open' | 'none'
export type Chat = {
  state: Pick<Store<ChatState>, 'get' | 'subscribe'>
  /** The visitor wants to write: opens the widget, or answers `panel` when there is none. */
  open: () => Promise<'chat' | 'panel'>
  stop: () => void
}
type Deps = {
  clock: Clock
  api: Pick<ApiClient, 'get'>
  page: ProviderPage
  loadScript: (address: string) => Promise<unknown>
  /** ISO tag of the page's language, and whether it is Chinese. */
  language: string
  chinese: boolean
  ip: () => Promise<string>
  skipIp: string
  defaultScript: string
  /** Height of the widget's frame, for whoever places the buttons; 0 = none. */
  frameHeight: (height: number) => void
  warn: (message: string) => void
}

/** Longest that somebody who wants to write waits for a widget (ms): then the site's own panel opens, and the widget may come as it likes. */
const patience = 4000

/** First script address of a snippet, if it is one that may be loaded: https and ending in .js (spec section 5). */
export function scriptOf(snippet: string): string | null {
  const [address = ''] = /https?:\/\/[^\s"'<>\\)]+/.exec(snippet.replaceAll('\\/', '/')) ?? []
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  return url.protocol === 'https:' && url.pathname.endsWith('.js') ? url.href : null
}

/** The chat of the site, loaded when somebody shows interest in it or the page has been idle for 5 s; failures lead to the default script. */
export function startChat(deps: Deps): Chat {
  const { clock, api, page } = deps
  const state = createStore<ChatState>('idle')
  let provider: ChatProvider | null = null
  let ticks = 0
  let cancelPoll = (): void => undefined
  let loading: Promise<void> | null = null

  /** Null: nothing is configured. Rejects when the configuration cannot be had. */
  async function configured(): Promise<{ kind: string; script: string } | null> {
    const ip = await deps.ip()
    if (deps.skipIp && ip === deps.skipIp) return null
    const data = (await api.get('/api/sys/config/chat-type', {
      lang: deps.language,
      type: 'www',
    })) as { chat?: unknown; chat_info?: { js?: unknown } }
    const snippet = typeof data.chat_info?.js === 'string' ? data.chat_info.js : ''
    let kind = typeof data.chat === 'string' ? data.chat : ''
    if (deps.chinese && snippet) {
      const chosen = (await api.get('/api/third/chat/choose', { ip, lang: 'zh' })) as {
        type?: unknown
      }
      if (typeof chosen.type === 'string' && chosen.type) kind = chosen.type
    }
    const script = snippet ? (scriptOf(snippet) ?? deps.defaultScript) : ''
    return script ? { kind, script } : null
  }

  function poll(): void {
    if (!provider) return
    const open = provider.isOpen(page)
    if (open || provider.isReady(page)) state.set(open ? 'open' : 'ready')
    deps.frameHeight(provider.frameHeight(page))
    ticks += 1
    if (ticks < times.pollTicks || state.get() !== 'loading')
      cancelPoll = clock.after(times.pollEvery, poll)
    else deps.warn('the chat did not report ready')
  }

  async function load(): Promise<void> {
    state.set('loading')
    const found = await configured().catch((error: unknown) => {
      deps.warn(`chat configuration failed: ${String(error)}`)
      return deps.defaultScript ? { kind: '', script: deps.defaultScript } : null
    })
    if (!found) return state.set('none')
    const script = await deps.loadScript(found.script).then(
      () => found.script,
      async (error: unknown) => {
        deps.warn(`the chat script failed: ${String(error)}`)
        if (!deps.defaultScript || deps.defaultScript === found.script) return null
        return deps.loadScript(deps.defaultScript).then(
          () => deps.defaultScript,
          () => null,
        )
      },
    )
    if (!script) return state.set('none')
    provider = chatProvider(found.kind, script)
    poll()
  }
  const once = (): Promise<void> => (loading ??= load())
  const cancelIdle = clock.after(times.idleBefore, () => void once())

  return {
    state,
    async open() {
      await Promise.race([
        once(),
        new Promise<void>((resolve) => void clock.after(patience, resolve)),
      ])
      if (!provider) return 'panel'
      provider.open(page)
      cancelPoll()
      ticks = 0
      poll()
      return 'chat'
    },
    stop() {
      cancelIdle()
      cancelPoll()
    },
  }
}
