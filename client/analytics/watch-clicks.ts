import type { EventDraft } from '../../shared/analytics-event'
import { leavesSite } from '../navigation/link-target'
import type { EmitEvent } from './analytics'
import { positionOf } from './position-of'
import { redactUrl } from './redact-url'

/** Label of an element; the values of form fields are not part of it. */
const labelOf = (element: Element): string =>
  (element.getAttribute('aria-label') ?? element.textContent)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 120)

/**
 * The element that a click is reported for: the nearest one marked `data-track`, else the nearest
 * link or button. A marked label stands for its radio button, whose click follows its own.
 */
function trackedElement(clicked: Element): HTMLElement | null {
  const label = clicked instanceof HTMLInputElement ? clicked.labels?.[0] : null
  const marked = label?.dataset['track'] ? label : clicked.closest<HTMLElement>('[data-track]')
  if (marked instanceof HTMLLabelElement && marked.control !== clicked) return null
  return marked ?? clicked.closest<HTMLElement>('a[href], button, summary, [role="button"]')
}

/**
 * Reports clicks. Those that leave for the application or a file are sent at once. One listener
 * serves the whole page.
 */
export function watchClicks({
  document,
  emit,
}: {
  document: Document
  emit: EmitEvent
}): () => void {
  function onClick({ target }: MouseEvent): void {
    const element = target instanceof Element ? trackedElement(target) : null
    if (!element) return
    const link = element.closest<HTMLAnchorElement>('a[href]')
    const { track, action, system } = element.dataset
    const draft: EventDraft = {
      kind: 'click',
      trigger: track ? 'track' : 'element',
      content: labelOf(element),
      key: track ?? action ?? '',
      el_type: element.localName,
      el_class: (element.getAttribute('class') ?? '').slice(0, 200),
      target_url: link ? redactUrl(link.href) : '',
      // The insights count downloads by system.
      addition: { ...(track && positionOf(element, 'data-track')), ...(system && { system }) },
    }
    emit(draft, leavesSite(element))
  }
  document.addEventListener('click', onClick, true)
  return () => document.removeEventListener('click', onClick, true)
}
