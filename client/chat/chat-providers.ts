/** What is known of a chat widget from outside: whether it is there, whether it is open, how to open it, how high it stands. */
export type ChatProvider = {
  isReady: (page: ProviderPage) => boolean
  isOpen: (page: ProviderPage) => boolean
  open: (page: ProviderPage) => void
  frameHeight: (page: ProviderPage) => number
}
/** The widgets' own globals, as far as they are used. */
export type ProviderPage = {
  document: Document
  ssq?: { push?: (...call: readonly unknown[]) => unknown }
  easemobim?: { bind?: (options: Readonly<Record<string, unknown>>) => unknown }
}

/** A frame higher than this is an open conversation, a lower one the widget's own button (px). */
const openFrom = 240

/** Frames that the widget's script has put into the page: of its own host, of a host below the same domain, or marked by their id. */
function framesOf({ document }: ProviderPage, script: string): HTMLElement[] {
  const domain = new URL(script).hostname.split('.').slice(-2).join('.')
  return [...document.querySelectorAll<HTMLIFrameElement>('iframe')].filter((frame) => {
    const host = URL.canParse(frame.src) ? new URL(frame.src).hostname : ''
    return host.endsWith(domain) || /chat|easemob|ss-/i.test(frame.id)
  })
}
const heightOf = (frames: readonly HTMLElement[]): number =>
  Math.max(
    0,
    ...frames.map((frame) =>
      frame.checkVisibility?.() === false ? 0 : frame.getBoundingClientRect().height,
    ),
  )

function framed(
  script: string,
  own: Pick<ChatProvider, 'open'> & { loaded: (page: ProviderPage) => boolean },
): ChatProvider {
  const height = (page: ProviderPage): number => heightOf(framesOf(page, script))
  return {
    isReady: (page) => own.loaded(page) || framesOf(page, script).length > 0,
    isOpen: (page) => height(page) > openFrom,
    // An open conversation covers the corner, and the buttons are hidden: only the widget's own button needs room.
    frameHeight: (page) => (height(page) > openFrom ? 0 : height(page)),
    open: own.open,
  }
}

/** By the kind that the configuration names (spec section 3): SS_ROBOT, SS_HUMAN and `ss` are one widget, HUAN_XIN and `easemob` another. */
export function chatProvider(kind: string, script: string): ChatProvider {
  if (/^ss/i.test(kind))
    return framed(script, {
      loaded: ({ ssq }) => typeof ssq?.push === 'function',
      open: ({ ssq }) => void ssq?.push?.('chatOpen'),
    })
  if (/^(huan_xin|easemob)$/i.test(kind))
    return framed(script, {
      loaded: ({ easemobim }) => typeof easemobim?.bind === 'function',
      open: ({ easemobim }) => void easemobim?.bind?.({}),
    })
  return framed(script, { loaded: () => false, open: () => undefined })
}
