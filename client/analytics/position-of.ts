/**
 * Position of an element among those of the page that have the same key, from 1; empty where it is
 * the only one. Questions and cards of a list have one key, and texts differ by language.
 */
export function positionOf(
  element: Element,
  attribute: 'data-track' | 'data-expose',
): { position?: number } {
  const key = element.getAttribute(attribute) ?? ''
  const same = element.ownerDocument.querySelectorAll(`[${attribute}="${CSS.escape(key)}"]`)
  return same.length > 1 ? { position: Array.from(same).indexOf(element) + 1 } : {}
}
