import { chat as timing } from '../../shared/constants'
import type { Clock } from '../platform/clock'
import { createStore, type Store } from '../platform/store'
import { fetchChatConfiguration, type ConfigurationDeps } from './chat-configuration'
import { createChatProvider, type ChatProvider, type ChatWindow } from './chat-providers'

/**
 * `idle`: nothing is loaded. `loading`. `ready`: the widget reports ready or closed. `open`: the
 * widget covers the corner. `none`: no chat is available, and the site's own message panel is used.
 */
export type ChatState = 'idle' | 'loading' | 'ready' | 'open' | 'none'
export type Chat = {
  state: Pick<Store<ChatState>, 'get' | 'subscribe'>
  /**
   * Opens the widget; resolves to `panel` when the site's own message panel must be used instead.
   */
  open: () => Promise<'chat' | 'panel'>
  stop: () => void
}
type Deps = ConfigurationDeps & {
  clock: Clock
  window: ChatWindow
  loadScript: (address: string) => Promise<unknown>
  /**
   * Height of the widget's own button (px); 0 when there is none. The site's buttons stay above it.
   */
  onButtonHeight: (heightPx: number) => void
  warn: (message: string) => void
}

/** How long a visitor who wants to write waits for the widget before the message panel opens. */
const openTimeoutMs = 4000

/** Loads the configured widget, else the default one; null when neither can be loaded. */
async function loadProvider(deps: Deps): Promise<ChatProvider | null> {
  const { defaultScript, loadScript, warn } = deps
  const configuration = await fetchChatConfiguration(deps).catch((error: unknown) => {
    warn(`chat configuration failed: ${String(error)}`)
    return defaultScript ? { kind: '', script: defaultScript } : null
  })
  if (!configuration) return null
  const { kind, script } = configuration
  try {
    await loadScript(script)
    return createChatProvider(kind, script)
  } catch (error) {
    warn(`the chat script failed: ${String(error)}`)
  }
  if (!defaultScript || defaultScript === script) return null
  return loadScript(defaultScript).then(
    () => createChatProvider(kind, defaultScript),
    () => null,
  )
}

/**
 * The chat of the site (spec 7.9). It loads when the visitor opens it or the page has been idle for
 * 5 s, so it never competes with the page.
 */
export function startChat(deps: Deps): Chat {
  const { clock, window } = deps
  const state = createStore<ChatState>('idle')
  let provider: ChatProvider | null = null
  let polls = 0
  let cancelPoll = (): void => undefined
  let loading: Promise<void> | null = null

  /**
   * Reads the state of the widget; a widget that does not report ready is given up after 10
   * minutes.
   */
  function poll(): void {
    if (!provider) return
    const isOpen = provider.isOpen(window)
    if (isOpen || provider.isReady(window)) state.set(isOpen ? 'open' : 'ready')
    deps.onButtonHeight(provider.buttonHeightPx(window))
    polls += 1
    if (polls < timing.maxPolls || state.get() !== 'loading')
      cancelPoll = clock.after(timing.pollIntervalMs, poll)
    else deps.warn('the chat did not report ready')
  }
  async function load(): Promise<void> {
    state.set('loading')
    provider = await loadProvider(deps)
    if (provider) poll()
    else state.set('none')
  }
  const loadOnce = (): Promise<void> => (loading ??= load())
  const cancelIdle = clock.after(timing.idleDelayMs, () => void loadOnce())

  return {
    state,
    async open() {
      const timeout = new Promise<void>((resolve) => void clock.after(openTimeoutMs, resolve))
      await Promise.race([loadOnce(), timeout])
      if (!provider) return 'panel'
      provider.open(window)
      cancelPoll()
      polls = 0
      poll()
      return 'chat'
    },
    stop() {
      cancelIdle()
      cancelPoll()
    },
  }
}
