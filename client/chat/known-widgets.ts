/** The ids that tell Easemob's script whose chat it is. */
export type EasemobIds = { configId?: string; tenantId?: string }
/** The globals of the providers' scripts, as far as they are used. */
export type ChatGlobals = {
  ssq?: { push?: (name: string, listener?: () => void) => unknown }
  easemobim?: {
    config?: EasemobIds & { hide?: boolean }
    bind?: (configuration: EasemobIds) => unknown
  }
  Tawk_API?: { maximize?: () => unknown; isChatMaximized?: () => boolean }
  $crisp?: { push?: (call: readonly string[]) => unknown; is?: (state: string) => boolean }
  tidioChatApi?: { open?: () => unknown }
  HubSpotConversations?: { widget?: { open?: () => unknown } }
  LiveChatWidget?: { call?: (command: string) => unknown }
  jivo_api?: { open?: () => unknown }
  Intercom?: (command: string) => unknown
  zE?: (area: string, command: string) => unknown
}

/** A chat whose script offers public calls. */
export type KnownWidget = {
  /** Values of `chat` and `type` (spec 6.5) that name the provider. */
  kind?: RegExp
  /** Whether the script has run, so that its calls exist. */
  isLoaded: (globals: ChatGlobals) => boolean
  open: (globals: ChatGlobals) => unknown
  /** Only where the provider has a call that tells. */
  isOpen?: (globals: ChatGlobals) => boolean
  /** Only where the provider reports that it is ready, opened and closed. */
  listen?: (globals: ChatGlobals, onReport: (isOpen: boolean) => void) => void
}

const easemob: KnownWidget = {
  kind: /^(huan_xin|easemob)$/i,
  isLoaded: ({ easemobim }) => typeof easemobim?.bind === 'function',
  open: ({ easemobim }) => easemobim?.bind?.({ ...easemobim.config }),
}

/** `test/unit/chat/chat.test.ts` names the public documentation of each. */
const knownWidgets: readonly KnownWidget[] = [
  {
    kind: /^ss/i,
    // An array is a queue from before the script has run.
    isLoaded: ({ ssq }) => typeof ssq?.push === 'function' && !Array.isArray(ssq),
    open: ({ ssq }) => ssq?.push?.('chatOpen'),
    listen({ ssq }, onReport) {
      ssq?.push?.('onReady', () => onReport(false))
      ssq?.push?.('onOpenChat', () => onReport(true))
      ssq?.push?.('onCloseChat', () => onReport(false))
    },
  },
  easemob,
  {
    isLoaded: ({ Tawk_API: tawk }) => typeof tawk?.maximize === 'function',
    open: ({ Tawk_API: tawk }) => tawk?.maximize?.(),
    isOpen: ({ Tawk_API: tawk }) => tawk?.isChatMaximized?.() ?? false,
  },
  {
    isLoaded: ({ $crisp: crisp }) => typeof crisp?.is === 'function',
    open: ({ $crisp: crisp }) => crisp?.push?.(['do', 'chat:open']),
    isOpen: ({ $crisp: crisp }) => crisp?.is?.('chat:opened') ?? false,
  },
  {
    isLoaded: ({ tidioChatApi: tidio }) => typeof tidio?.open === 'function',
    open: ({ tidioChatApi: tidio }) => tidio?.open?.(),
  },
  {
    isLoaded: ({ HubSpotConversations: hubSpot }) => typeof hubSpot?.widget?.open === 'function',
    open: ({ HubSpotConversations: hubSpot }) => hubSpot?.widget?.open?.(),
  },
  {
    isLoaded: ({ LiveChatWidget: widget }) => typeof widget?.call === 'function',
    open: ({ LiveChatWidget: widget }) => widget?.call?.('maximize'),
  },
  {
    isLoaded: ({ jivo_api: jivo }) => typeof jivo?.open === 'function',
    open: ({ jivo_api: jivo }) => jivo?.open?.(),
  },
  {
    isLoaded: ({ Intercom: intercom }) => typeof intercom === 'function',
    open: ({ Intercom: intercom }) => intercom?.('show'),
  },
  {
    isLoaded: ({ zE: zendesk }) => typeof zendesk === 'function',
    open: ({ zE: zendesk }) => zendesk?.('messenger', 'open'),
  },
]

/** The widget that the page can open; the configured provider comes before others. */
export function findKnownWidget(globals: ChatGlobals, kind: string): KnownWidget | null {
  const loaded = knownWidgets.filter((widget) => widget.isLoaded(globals))
  return loaded.find((widget) => widget.kind?.test(kind)) ?? loaded[0] ?? null
}

/**
 * Easemob's script reads its configuration when it runs. `hide`: the site's own button opens the
 * chat, so the script's stays away.
 */
export function configureEasemob(globals: ChatGlobals, ids: EasemobIds): void {
  globals.easemobim = {
    ...globals.easemobim,
    config: { ...globals.easemobim?.config, ...ids, hide: true },
  }
}
