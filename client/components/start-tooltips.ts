import { tooltip as limits } from '../../shared/constants'

/** Time for the pointer to reach the tooltip before it is hidden. */
const hideDelayMs = 200
/** Distance from the text and from the edges of the window. */
const gapPx = 6
const edgePx = 8

let started = false
let tooltip: HTMLElement | null = null
let owner: HTMLElement | null = null
let timer = 0
/**
 * Whether the pointer started the timer: then moving away cancels it. Focus does so only on blur.
 */
let isPointerTimer = false

const isTruncated = (element: HTMLElement): boolean => element.scrollWidth > element.clientWidth
const truncatedText = (target: EventTarget | null): HTMLElement | null => {
  if (!(target instanceof Element)) return null
  const element =
    target.closest<HTMLElement>('[data-ellipsis]') ??
    (target.matches('a, button') ? target.querySelector<HTMLElement>('[data-ellipsis]') : null)
  return element && isTruncated(element) ? element : null
}

function hide(): void {
  window.clearTimeout(timer)
  tooltip?.remove()
  owner?.removeAttribute('aria-describedby')
  tooltip = owner = null
}

function show(element: HTMLElement): void {
  hide()
  owner = element
  tooltip = document.createElement('div')
  tooltip.id = 'tooltip'
  tooltip.className = 'tooltip'
  tooltip.setAttribute('role', 'tooltip')
  tooltip.textContent = element.textContent
  tooltip.style.maxWidth = `${limits.maxWidthPx}px`
  document.body.append(tooltip)
  element.setAttribute('aria-describedby', tooltip.id)
  const anchor = element.getBoundingClientRect()
  const size = tooltip.getBoundingClientRect()
  const fitsBelow = anchor.bottom + gapPx + size.height < window.innerHeight - edgePx
  const left = Math.min(anchor.left, window.innerWidth - size.width - edgePx)
  const top = fitsBelow ? anchor.bottom + gapPx : Math.max(edgePx, anchor.top - gapPx - size.height)
  tooltip.style.left = `${Math.max(edgePx, left)}px`
  tooltip.style.top = `${top}px`
}

function schedule(action: () => void, delayMs: number, byPointer: boolean): void {
  window.clearTimeout(timer)
  isPointerTimer = byPointer
  timer = window.setTimeout(action, delayMs)
}

/** Makes a text focusable while it is truncated, so the keyboard can open its tooltip. */
function watchTruncation(element: HTMLElement): void {
  new ResizeObserver(() => {
    if (isTruncated(element) && !element.closest('a, button')) element.tabIndex = 0
    else element.removeAttribute('tabindex')
  }).observe(element)
}

const watched = new WeakSet<HTMLElement>()

/**
 * Tooltips for all truncated texts of the page (WCAG 1.4.13). They appear after a second of
 * hovering or focus, stay while the pointer is on them, and disappear on Escape. Later calls only
 * look for texts that were added since.
 */
export function startTooltips(): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-ellipsis]')) {
    if (watched.has(element)) continue
    watched.add(element)
    watchTruncation(element)
  }
  if (started) return
  started = true
  document.addEventListener('pointerover', (event) => {
    if (tooltip && event.target instanceof Node && tooltip.contains(event.target)) {
      window.clearTimeout(timer)
      return
    }
    const element = truncatedText(event.target)
    if (element && element !== owner) schedule(() => show(element), limits.delayMs, true)
    else if (!element && owner && owner !== document.activeElement)
      schedule(hide, hideDelayMs, true)
    else if (isPointerTimer) window.clearTimeout(timer)
  })
  document.addEventListener('focusin', (event) => {
    const element = truncatedText(event.target)
    if (element && element !== owner) schedule(() => show(element), limits.delayMs, false)
  })
  document.addEventListener('focusout', () => schedule(hide, hideDelayMs, false))
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    // The key has been used: it must not close anything else.
    if (tooltip) event.preventDefault()
    hide()
  })
  document.addEventListener('scroll', hide, { passive: true, capture: true })
}
