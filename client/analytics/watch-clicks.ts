import type { EmitEvent } from './analytics'
import { redactUrl } from './redact-url'

/** Label of an element; the values of form fields are not part of it. */
const labelOf = (element: Element): string =>
  (element.getAttribute('aria-label') ?? element.textContent)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 120)

/**
 * Reports clicks on the nearest element marked `data-track`, else on the nearest link or button.
 * One listener serves the whole page.
 */
export function watchClicks({
  document,
  emit,
}: {
  document: Document
  emit: EmitEvent
}): () => void {
  function onClick({ target }: MouseEvent): void {
    const clicked = target instanceof Element ? target : null
    const element =
      clicked?.closest<HTMLElement>('[data-track]') ??
      clicked?.closest<HTMLElement>('a[href], button, summary, [role="button"]')
    if (!element) return
    const link = element.closest<HTMLAnchorElement>('a[href]')
    // Of a download: the insights count downloads by system.
    const { track, action, system } = element.dataset
    emit({
      kind: 'click',
      trigger: track ? 'track' : 'element',
      content: labelOf(element),
      key: track ?? action ?? '',
      el_type: element.localName,
      el_class: (element.getAttribute('class') ?? '').slice(0, 200),
      target_url: link ? redactUrl(link.href) : '',
      ...(system ? { addition: { system } } : {}),
    })
  }
  document.addEventListener('click', onClick, true)
  return () => document.removeEventListener('click', onClick, true)
}
