/** The state of a chat widget as the page sees it, and how to open it. */
export type ChatProvider = {
  isReady: (window: ChatWindow) => boolean
  isOpen: (window: ChatWindow) => boolean
  open: (window: ChatWindow) => void
  /** Height of the widget's own button (px); 0 while a conversation is open. */
  buttonHeightPx: (window: ChatWindow) => number
}
/** The globals of the widgets, as far as they are used. */
export type ChatWindow = {
  document: Document
  ssq?: { push?: (...call: readonly unknown[]) => unknown }
  easemobim?: { bind?: (options: Readonly<Record<string, unknown>>) => unknown }
}

/** A higher frame is an open conversation, a lower one the widget's own button. */
const maxButtonHeightPx = 240

/** Frames of the widget: from the host of its script, from the same domain, or with its id. */
function widgetFrames({ document }: ChatWindow, script: string): HTMLElement[] {
  const domain = new URL(script).hostname.split('.').slice(-2).join('.')
  return [...document.querySelectorAll<HTMLIFrameElement>('iframe')].filter((frame) => {
    const host = URL.canParse(frame.src) ? new URL(frame.src).hostname : ''
    return host.endsWith(domain) || /chat|easemob|ss-/i.test(frame.id)
  })
}

/** 0 for a hidden frame. Older browsers have no `checkVisibility`. */
const visibleHeightPx = (frame: HTMLElement): number =>
  'checkVisibility' in frame && !frame.checkVisibility() ? 0 : frame.getBoundingClientRect().height

/** A provider whose state is read from its frames. */
function createFrameProvider(
  script: string,
  { isLoaded, open }: Pick<ChatProvider, 'open'> & { isLoaded: (window: ChatWindow) => boolean },
): ChatProvider {
  const heightPx = (window: ChatWindow): number =>
    Math.max(0, ...widgetFrames(window, script).map(visibleHeightPx))
  const isOpen = (window: ChatWindow): boolean => heightPx(window) > maxButtonHeightPx
  return {
    isReady: (window) => isLoaded(window) || widgetFrames(window, script).length > 0,
    isOpen,
    open,
    // An open conversation covers the corner, where the site's buttons are then hidden.
    buttonHeightPx: (window) => (isOpen(window) ? 0 : heightPx(window)),
  }
}

/**
 * The provider of a configured kind (spec 7.9): SS_ROBOT, SS_HUMAN and `ss` are one widget,
 * HUAN_XIN and `easemob` another. Other widgets cannot be opened by the page.
 */
export function createChatProvider(kind: string, script: string): ChatProvider {
  if (/^ss/i.test(kind))
    return createFrameProvider(script, {
      isLoaded: ({ ssq }) => typeof ssq?.push === 'function',
      open: ({ ssq }) => void ssq?.push?.('chatOpen'),
    })
  if (/^(huan_xin|easemob)$/i.test(kind))
    return createFrameProvider(script, {
      isLoaded: ({ easemobim }) => typeof easemobim?.bind === 'function',
      open: ({ easemobim }) => void easemobim?.bind?.({}),
    })
  return createFrameProvider(script, { isLoaded: () => false, open: () => undefined })
}
