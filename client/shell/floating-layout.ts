/**
 * Positions everything that floats at the bottom of the window, so that no element covers another.
 * The layout is computed again when an element appears, disappears or changes its size.
 */
import { breakpoints, chat } from '../../shared/constants'
import type { Store } from '../platform/store'
import { chatButtonHeightPx } from './service-stores'

/** Elements are placed in this order; later ones move up to make room for earlier ones. */
const placementOrder = [
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
export type FloatingName = (typeof placementOrder)[number]

/** Sizes and distances in pixels. */
type Box = {
  left: number
  right: number
  height: number
  /** Preferred distance of the lower edge from the window's lower edge. */
  bottom: number
}

const gapPx = 8
const edgePx = 16
/** Height of the header with a gap below it. */
const headroomPx = 72

/**
 * Distance from the window's lower edge for each box: the preferred one or the first free above.
 */
export function stackBoxes(boxes: readonly Box[]): number[] {
  const placed: Array<Box & { top: number }> = []
  return boxes.map((box) => {
    let bottom = box.bottom
    for (;;) {
      const overlapping = placed.filter(
        (other) =>
          other.left < box.right &&
          box.left < other.right &&
          other.bottom < bottom + box.height + gapPx &&
          bottom < other.top + gapPx,
      )
      if (overlapping.length === 0) break
      bottom = Math.max(...overlapping.map((other) => other.top)) + gapPx
    }
    placed.push({ ...box, bottom, top: bottom + box.height })
    return bottom
  })
}

type FloatingElements = ReadonlyMap<FloatingName, HTMLElement>

type PlacementContext = {
  viewport: { width: number; height: number }
  chatButtonHeightPx: number
  /** Bottom distances of the elements placed so far. */
  bottoms: ReadonlyMap<FloatingName, number>
}

function preferredBottom(
  name: FloatingName,
  height: number,
  { viewport, chatButtonHeightPx, bottoms }: PlacementContext,
): number {
  const aboveChat = Math.max(chat.bottomOffsetPx, chatButtonHeightPx) + chat.gapPx
  if (name === 'signup-banner') return 0
  if (name === 'consent' || name === 'language-offer') return edgePx
  if (name === 'chat-buttons' || name === 'consult') return aboveChat
  // On a phone the sign-up banner appears and disappears below this button. Starting above the chat
  // button keeps it from jumping each time.
  if (name === 'scroll-top' && viewport.width <= breakpoints.mobile) return aboveChat
  if (name === 'consult-popup')
    return Math.max(
      edgePx,
      Math.min(bottoms.get('consult') ?? aboveChat, viewport.height - height - headroomPx),
    )
  return Math.max(edgePx, chatButtonHeightPx > 0 ? chatButtonHeightPx + chat.gapPx : 0)
}

function measureElements(elements: FloatingElements) {
  return placementOrder.flatMap((name) => {
    const element = elements.get(name)
    if (!element) return []
    const { left, right } = element.getBoundingClientRect()
    return { name, element, left, right, height: element.offsetHeight }
  })
}

/**
 * Sets the position of each element. Scrolling to a target stops above elements of full width. All
 * sizes are read before the first position is set: after it, reading takes another layout.
 */
function placeElements(elements: FloatingElements, chatButtonHeightPx: number): void {
  const viewport = { width: window.innerWidth, height: window.innerHeight }
  const measured = measureElements(elements)
  const bottoms = new Map<FloatingName, number>()
  const boxes: Box[] = []
  let scrollPadding = 0
  for (const { name, element, left, right, height } of measured) {
    const preferred = preferredBottom(name, height, { viewport, chatButtonHeightPx, bottoms })
    boxes.push({ left, right, height, bottom: preferred })
    const bottom = stackBoxes(boxes).at(-1) ?? 0
    bottoms.set(name, bottom)
    element.style.bottom = `${bottom}px`
    if (right - left > viewport.width * 0.9)
      scrollPadding = Math.max(scrollPadding, bottom + height + edgePx)
  }
  document.documentElement.style.scrollPaddingBottom = scrollPadding > 0 ? `${scrollPadding}px` : ''
}

const overlaps = (a: DOMRect, b: DOMRect): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

/** The element whose focus must stay visible, unless it is itself a floating one. */
function focusedOutside(elements: FloatingElements): Element | null {
  const focused = document.activeElement
  if (!focused || focused === document.body || !focused.matches(':focus-visible')) return null
  return [...elements.values()].some((element) => element.contains(focused)) ? null : focused
}

/** A focused element must not be hidden (WCAG 2.4.11): floating elements that cover it fade out. */
function revealFocus(elements: FloatingElements): void {
  const focus = focusedOutside(elements)?.getBoundingClientRect()
  for (const element of elements.values())
    element.toggleAttribute(
      'data-aside',
      focus !== undefined && overlaps(focus, element.getBoundingClientRect()),
    )
}

type Watcher = { sizes: ResizeObserver; stop: () => void }

function watchChanges(
  chatButtonHeight: Pick<Store<number>, 'subscribe'>,
  layout: () => void,
  reveal: () => void,
): Watcher {
  const sizes = new ResizeObserver(layout)
  const ignoreChatButton = chatButtonHeight.subscribe(layout)
  window.addEventListener('resize', layout)
  window.addEventListener('scroll', reveal, { passive: true })
  document.addEventListener('focusin', reveal)
  document.addEventListener('focusout', reveal)
  return {
    sizes,
    stop() {
      sizes.disconnect()
      ignoreChatButton()
      window.removeEventListener('resize', layout)
      window.removeEventListener('scroll', reveal)
      document.removeEventListener('focusin', reveal)
      document.removeEventListener('focusout', reveal)
    },
  }
}

type FloatingLayout = {
  /** Positions an element until the returned function is called. */
  add: (name: FloatingName, element: HTMLElement) => () => void
}

/** Listens to the window only while there are floating elements. */
function createFloatingLayout(
  chatButtonHeight: Pick<Store<number>, 'get' | 'subscribe'>,
): FloatingLayout {
  const elements = new Map<FloatingName, HTMLElement>()
  let watcher: Watcher | null = null
  let isPlanned = false

  const reveal = (): void => revealFocus(elements)
  const layout = (): void => {
    placeElements(elements, chatButtonHeight.get())
    reveal()
  }
  /** Once for all elements that appear or disappear together, and before they are painted. */
  const layoutSoon = (): void => {
    if (isPlanned) return
    isPlanned = true
    queueMicrotask(() => {
      isPlanned = false
      layout()
    })
  }
  return {
    add(name, element) {
      watcher ??= watchChanges(chatButtonHeight, layout, reveal)
      elements.set(name, element)
      watcher.sizes.observe(element)
      layoutSoon()
      return () => {
        watcher?.sizes.unobserve(element)
        if (elements.get(name) === element) elements.delete(name)
        layoutSoon()
        if (elements.size > 0) return
        watcher?.stop()
        watcher = null
      }
    },
  }
}

export const floatingLayout = createFloatingLayout(chatButtonHeightPx)
