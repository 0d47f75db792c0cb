import { tooltip as limits } from '../../../shared/constants'

/** Time to reach the tooltip with the pointer before it goes (ms), and its distance from the text and the window's edges (px). */
const leave = 200
const gap = 6
const edge = 8

let started = false
let box: HTMLElement | null = null
let owner: HTMLElement | null = null
let timer = 0
/** What the timer waits for began with the pointer: moving off ends it. With focus, only losing that does. */
let byPointer = false

const isCut = (element: HTMLElement): boolean => element.scrollWidth > element.clientWidth
const cutText = (target: EventTarget | null): HTMLElement | null => {
  if (!(target instanceof Element)) return null
  const element =
    target.closest<HTMLElement>('[data-ellipsis]') ??
    (target.matches('a, button') ? target.querySelector<HTMLElement>('[data-ellipsis]') : null)
  return element && isCut(element) ? element : null
}

function hide(): void {
  window.clearTimeout(timer)
  box?.remove()
  owner?.removeAttribute('aria-describedby')
  box = owner = null
}

function show(element: HTMLElement): void {
  hide()
  owner = element
  box = document.createElement('div')
  box.id = 'tooltip'
  box.className = 'tooltip'
  box.setAttribute('role', 'tooltip')
  box.textContent = element.textContent
  box.style.maxWidth = `${limits.maxWidth}px`
  document.body.append(box)
  element.setAttribute('aria-describedby', box.id)
  const place = element.getBoundingClientRect()
  const size = box.getBoundingClientRect()
  const below = place.bottom + gap + size.height < window.innerHeight - edge
  box.style.left = `${Math.max(edge, Math.min(place.left, window.innerWidth - size.width - edge))}px`
  box.style.top = `${below ? place.bottom + gap : Math.max(edge, place.top - gap - size.height)}px`
}

function after(delay: number, action: () => void, pointer: boolean): void {
  window.clearTimeout(timer)
  byPointer = pointer
  timer = window.setTimeout(action, delay)
}

/** Texts that are cut can be reached by keyboard, those that are not need no stop. */
function watchCut(element: HTMLElement): void {
  new ResizeObserver(() => {
    if (isCut(element) && !element.closest('a, button')) element.tabIndex = 0
    else element.removeAttribute('tabindex')
  }).observe(element)
}

const watched = new WeakSet<HTMLElement>()

/**
 * Tooltips of the whole page (WCAG 1.4.13): shown after a second under the pointer or with focus, kept while the pointer is on
 * them, gone with Escape. Calls after the first only look for texts that have come since.
 */
export function startTooltips(): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-ellipsis]')) {
    if (watched.has(element)) continue
    watched.add(element)
    watchCut(element)
  }
  if (started) return
  started = true
  document.addEventListener('pointerover', (event) => {
    if (box && event.target instanceof Node && box.contains(event.target))
      return window.clearTimeout(timer)
    const element = cutText(event.target)
    if (element && element !== owner) after(limits.delay, () => show(element), true)
    else if (!element && owner && owner !== document.activeElement) after(leave, hide, true)
    else if (byPointer) window.clearTimeout(timer)
  })
  document.addEventListener('focusin', (event) => {
    const element = cutText(event.target)
    if (element && element !== owner) after(limits.delay, () => show(element), false)
  })
  document.addEventListener('focusout', () => after(leave, hide, false))
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hide()
  })
  document.addEventListener('scroll', hide, { passive: true, capture: true })
}
