import { chat as timing } from '../../shared/constants'
import type { Clock } from '../platform/clock'
import { createStore, type Store } from '../platform/store'
import {
  defaultConfiguration,
  fetchChatConfiguration,
  type ChatConfiguration,
  type ConfigurationDeps,
} from './chat-configuration'
import {
  configureEasemob,
  findKnownWidget,
  type ChatGlobals,
  type KnownWidget,
} from './known-widgets'

/**
 * `loading`: a chat is expected. `ready`: the widget can be opened. `open`: it is open. `aside`:
 * the script shows its own button and offers no call. `none`: the site's own message panel is used.
 */
export type ChatState = 'loading' | 'ready' | 'open' | 'aside' | 'none'
export type Chat = {
  state: Pick<Store<ChatState>, 'get' | 'subscribe'>
  /** Opens the widget; `panel` when the site's own message panel must be used instead. */
  open: () => 'chat' | 'panel'
  stop: () => void
}
type Deps = ConfigurationDeps & {
  clock: Clock
  window: ChatGlobals
  /** Whether the page was made for a chat; a chat that is found all the same is used too. */
  isExpected: boolean
  loadScript: (address: string) => Promise<unknown>
  /** Starts to measure what the chat's script shows, in px; 0: nothing is visible. */
  watchWidgetHeight: () => () => number
  /**
   * Height of the widget's own button (px); 0 when there is none. The site's buttons stay above it.
   */
  onButtonHeight: (heightPx: number) => void
  warn: (message: string) => void
}

/** A higher element is an open conversation, a lower one the widget's own button. */
const maxButtonHeightPx = 240
/** After this time the message panel replaces a script that shows nothing yet. */
const panelAfterMs = 4000

/** Loads the configured script, else the default one. Resolves to whether one has loaded. */
async function loadWidget(deps: Deps, configuration: ChatConfiguration): Promise<boolean> {
  const { defaultScript, loadScript, window, warn } = deps
  const load = async ({ script, easemob }: ChatConfiguration): Promise<boolean> => {
    if (easemob.configId ?? easemob.tenantId) configureEasemob(window, easemob)
    await loadScript(script)
    return true
  }
  try {
    return await load(configuration)
  } catch (error) {
    warn(`the chat script failed: ${String(error)}`)
  }
  const fallback = defaultConfiguration(configuration.kind, defaultScript)
  if (!fallback || fallback.script === configuration.script) return false
  return load(fallback).catch(() => false)
}

/** Reads the state of a widget from its calls and from what it shows. */
function createWidgetReader(window: ChatGlobals, kind: string) {
  let listening = false
  /** Null: the provider has reported nothing. */
  let reportedOpen: boolean | null = null

  /** Null while nothing shows that there is a chat. `isLate`: no report is waited for any more. */
  function read(heightPx: number, isLate: boolean): ChatState | null {
    const widget = findKnownWidget(window, kind)
    if (!widget) return heightPx > 0 ? 'aside' : null
    if (widget.listen && !listening) {
      listening = true
      widget.listen(window, (isOpen) => (reportedOpen = isOpen))
    }
    if (isWidgetOpen(widget, heightPx)) return 'open'
    const isReady = !widget.listen || reportedOpen !== null || heightPx > 0 || isLate
    return isReady ? 'ready' : null
  }
  function isWidgetOpen({ isOpen }: KnownWidget, heightPx: number): boolean {
    if (isOpen) return isOpen(window)
    return heightPx > 0 ? heightPx > maxButtonHeightPx : reportedOpen === true
  }
  return read
}

/**
 * The chat of the site (spec 7.9). It loads when the page has been idle for 5 s, so it never
 * competes with the page.
 */
export function startChat(deps: Deps): Chat {
  const { clock, window } = deps
  const state = createStore<ChatState>(deps.isExpected ? 'loading' : 'none')
  let kind = ''
  let stopTimer = clock.after(timing.idleDelayMs, () => void load())

  async function load(): Promise<void> {
    const configuration = await fetchChatConfiguration(deps).catch((error: unknown) => {
      deps.warn(`chat configuration failed: ${String(error)}`)
      return defaultConfiguration('', deps.defaultScript)
    })
    if (!configuration) {
      state.set('none')
      return
    }
    kind = configuration.kind
    const stopPolling = startPolling(deps.watchWidgetHeight(), createWidgetReader(window, kind))
    if (await loadWidget(deps, configuration)) return
    stopPolling()
    state.set('none')
  }

  /** A widget that shows no sign of a chat within 10 minutes is given up. */
  function startPolling(
    heightPx: () => number,
    read: ReturnType<typeof createWidgetReader>,
  ): () => void {
    let polls = 0
    function poll(): void {
      polls += 1
      const height = heightPx()
      const isLate = polls * timing.pollIntervalMs > panelAfterMs
      const found = read(height, isLate)
      if (found) state.set(found)
      else if (isLate) state.set('none')
      deps.onButtonHeight(height > maxButtonHeightPx ? 0 : height)
      if (found || polls < timing.maxPolls) stopTimer = clock.after(timing.pollIntervalMs, poll)
      else deps.warn('the chat did not report ready')
    }
    poll()
    return () => stopTimer()
  }

  return {
    state,
    open() {
      const widget = state.get() === 'ready' ? findKnownWidget(window, kind) : null
      if (!widget) return 'panel'
      widget.open(window)
      return 'chat'
    },
    stop: () => stopTimer(),
  }
}
