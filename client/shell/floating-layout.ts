/**
 * Owns the bottom edge of the window: whatever floats there asks for a place and never covers another. Places are found
 * again when something comes, goes or changes its size.
 */
import { breakpoints, chat } from '../../shared/constants'

/** In this order they are placed: later ones give way to earlier ones. */
const order = [
  'consent',
  'signup-banner',
  'language-offer',
  'chat-buttons',
  'message-panel',
  'consult',
  'scroll-top',
  'consult-popup',
  'toasts',
] as const
export type CornerName = (typeof order)[number]
export type Box = {
  left: number
  right: number
  height: number
  /** Wished distance of its lower edge from the window's. */ bottom: number
}

const gap = 8
const edge = 16
/** What the header and a gap take at the top. */
const headroom = 72

/** Distance from the lower edge for each box: its wish, or the first free place above it. */
export function pack(boxes: readonly Box[]): number[] {
  const placed: Array<Box & { top: number }> = []
  return boxes.map((box) => {
    let bottom = box.bottom
    for (;;) {
      const under = placed.filter(
        (other) =>
          other.left < box.right &&
          box.left < other.right &&
          other.bottom < bottom + box.height + gap &&
          bottom < other.top + gap,
      )
      if (under.length === 0) break
      bottom = Math.max(...under.map((other) => other.top)) + gap
    }
    placed.push({ ...box, bottom, top: bottom + box.height })
    return bottom
  })
}

export type Corner = {
  /** Places an element until the returned function is called. */
  add: (name: CornerName, element: HTMLElement) => () => void
  /** Height of the chat widget's frame; 0 = there is none. */
  setChatFrame: (height: number) => void
}

export function createCorner(): Corner {
  const items = new Map<CornerName, HTMLElement>()
  let chatFrame = 0
  let observer: ResizeObserver | null = null

  const wish = (
    name: CornerName,
    height: number,
    bottoms: ReadonlyMap<CornerName, number>,
  ): number => {
    const buttons = Math.max(chat.bottomOffset, chatFrame) + chat.gap
    if (name === 'signup-banner') return 0
    if (name === 'consent' || name === 'language-offer') return edge
    if (name === 'chat-buttons' || name === 'consult') return buttons
    // On a phone the banner comes and goes under it: from above the chat buttons it need not jump.
    if (name === 'scroll-top' && window.innerWidth <= breakpoints.mobile) return buttons
    if (name === 'consult-popup')
      return Math.max(
        edge,
        Math.min(bottoms.get('consult') ?? buttons, window.innerHeight - height - headroom),
      )
    return Math.max(edge, chatFrame > 0 ? chatFrame + chat.gap : 0)
  }
  /** A focused element must not lie under anything that floats (WCAG 2.4.11): what covers it steps aside. */
  const uncover = (): void => {
    const focused = document.activeElement
    const inside = [...items.values()].some((element) => element.contains(focused))
    const target =
      focused && focused !== document.body && !inside && focused.matches(':focus-visible')
        ? focused.getBoundingClientRect()
        : null
    for (const element of items.values()) {
      const own = element.getBoundingClientRect()
      const covers =
        target !== null &&
        target.left < own.right &&
        own.left < target.right &&
        target.top < own.bottom &&
        own.top < target.bottom
      element.toggleAttribute('data-aside', covers)
    }
  }
  const layout = (): void => {
    const bottoms = new Map<CornerName, number>()
    const boxes: Box[] = []
    let padding = 0
    for (const name of order) {
      const element = items.get(name)
      if (!element) continue
      const { left, right } = element.getBoundingClientRect()
      boxes.push({
        left,
        right,
        height: element.offsetHeight,
        bottom: wish(name, element.offsetHeight, bottoms),
      })
      const bottom = pack(boxes).at(-1) ?? 0
      bottoms.set(name, bottom)
      element.style.bottom = `${bottom}px`
      if (right - left > window.innerWidth * 0.9)
        padding = Math.max(padding, bottom + element.offsetHeight + edge)
    }
    document.documentElement.style.scrollPaddingBottom = padding > 0 ? `${padding}px` : ''
    uncover()
  }
  const listen = (): void => {
    observer = new ResizeObserver(layout)
    window.addEventListener('resize', layout)
    window.addEventListener('scroll', uncover, { passive: true })
    document.addEventListener('focusin', uncover)
    document.addEventListener('focusout', uncover)
  }
  const rest = (): void => {
    observer?.disconnect()
    observer = null
    window.removeEventListener('resize', layout)
    window.removeEventListener('scroll', uncover)
    document.removeEventListener('focusin', uncover)
    document.removeEventListener('focusout', uncover)
  }
  return {
    add(name, element) {
      if (items.size === 0) listen()
      items.set(name, element)
      observer?.observe(element)
      layout()
      return () => {
        observer?.unobserve(element)
        if (items.get(name) === element) items.delete(name)
        layout()
        if (items.size === 0) rest()
      }
    },
    setChatFrame(height) {
      chatFrame = height
      layout()
    },
  }
}

export const corner = createCorner()
