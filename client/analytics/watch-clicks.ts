import type { EmitEvent } from './analytics'
import { reportableUrl } from './reportable-url'

/** Text of an element as it may be reported: never what a visitor has typed. */
const textOf = (element: Element): string =>
  (element.getAttribute('aria-label') ?? element.textContent ?? '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 120)

/** Reports clicks on the nearest element marked `data-track`, else on the nearest link or button. One listener for the whole page. */
export function watchClicks({
  document,
  emit,
}: {
  document: Document
  emit: EmitEvent
}): () => void {
  function clicked(event: MouseEvent): void {
    const from = event.target instanceof Element ? event.target : null
    const element =
      from?.closest<HTMLElement>('[data-track]') ??
      from?.closest<HTMLElement>('a[href], button, summary, [role="button"]')
    if (!element) return
    const link = element.closest<HTMLAnchorElement>('a[href]')
    // Which file a download is for: insights count by it.
    const { system } = element.dataset
    emit({
      kind: 'click',
      trigger: element.dataset['track'] ? 'track' : 'element',
      content: textOf(element),
      key: element.dataset['track'] ?? element.dataset['action'] ?? '',
      el_type: element.localName,
      el_class: (element.getAttribute('class') ?? '').slice(0, 200),
      target_url: link ? reportableUrl(link.href) : '',
      ...(system ? { addition: { system } } : {}),
    })
  }
  document.addEventListener('click', clicked, true)
  return () => document.removeEventListener('click', clicked, true)
}
