/** Smaller elements are tracking pixels and decoration. */
const minSizePx = 20
/** What a visitor can press or write in; containers may cover the window and be transparent. */
const visibleParts = 'iframe, button, a, img, svg, [role="button"]'
/** What scripts other than the chat's add to the page. */
const foreignElements = 'script, style, link, noscript, [id^="credential_picker"]'

function isFixed(element: Element | null): boolean {
  return (
    element !== null &&
    (getComputedStyle(element).position === 'fixed' || isFixed(element.parentElement))
  )
}

function visibleHeightPx(element: Element): number {
  const { width, height, top, bottom } = element.getBoundingClientRect()
  if (width < minSizePx || height < minSizePx) return 0
  // Older browsers have no `checkVisibility`.
  if ('checkVisibility' in element && !element.checkVisibility()) return 0
  // Some widgets are hidden by moving them out of the window; the page can be scrolled to others.
  const isInWindow = bottom > 0 && top < window.innerHeight
  return isInWindow || !isFixed(element) ? height : 0
}

function heightOf(added: Element): number {
  const parts = [added, added.shadowRoot].flatMap((tree) => [
    ...(tree?.querySelectorAll(visibleParts) ?? []),
  ])
  return Math.max(0, ...(parts.length > 0 ? parts : [added]).map(visibleHeightPx))
}

/**
 * Measures what a chat's script shows: the highest visible part of the elements that are added to
 * the page from now on. The widgets differ in their markup, but all add to the end of the body.
 */
export function watchWidgetHeight({ body, documentElement }: Document): () => number {
  const children = (): Element[] => [...documentElement.children, ...body.children]
  const before = new Set(children())
  return () =>
    Math.max(
      0,
      ...children()
        .filter((element) => !before.has(element) && !element.matches(foreignElements))
        .map(heightOf),
    )
}
