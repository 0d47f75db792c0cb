import type { IconName } from '../../icons/names'
import { rememberTabs } from './remember-tabs'
import { startCopying } from './start-copying'

export type ProseTexts = {
  /** Address of the icons. */ sprite: string
  copy: string
  copied: string
  code: string
  table: string
  enlarge: string
}

const svg = 'http://www.w3.org/2000/svg'

function sign(sprite: string, name: IconName): SVGElement {
  const picture = document.createElementNS(svg, 'svg')
  picture.setAttribute('aria-hidden', 'true')
  const use = document.createElementNS(svg, 'use')
  use.setAttribute('href', `${sprite}#${name}`)
  picture.append(use)
  return picture
}

/**
 * A frame around code or a table, with its button: what is laid over it must not scroll with it. Made once, however often
 * the page asks.
 */
function frame(
  element: HTMLElement,
  className: string,
  label: string,
  signs: readonly SVGElement[],
): HTMLButtonElement {
  const known = element.parentElement?.matches('.prose-frame')
    ? element.parentElement.querySelector('button')
    : null
  if (known) return known
  const box = document.createElement('div')
  box.className = 'prose-frame'
  element.replaceWith(box)
  const button = document.createElement('button')
  button.type = 'button'
  button.className = `prose-button ${className}`
  button.setAttribute('aria-label', label)
  button.title = label
  button.append(...signs)
  box.append(element, button)
  return button
}

/** Whatever scrolls inside itself can be reached and read by keyboard, and only then is it a stop. */
function keepReachable(
  element: HTMLElement,
  label: string,
  onChange?: (cut: boolean) => void,
): () => void {
  const observer = new ResizeObserver(() => {
    const cut = element.scrollWidth > element.clientWidth + 1
    for (const [name, value] of [
      ['tabindex', '0'],
      ['role', 'group'],
      ['aria-label', label],
    ] as const) {
      if (cut) element.setAttribute(name, value)
      else element.removeAttribute(name)
    }
    onChange?.(cut)
  })
  observer.observe(element)
  return () => observer.disconnect()
}

function codeBlock(pre: HTMLElement, texts: ProseTexts): () => void {
  const copy = frame(pre, 'prose-copy', texts.copy, [
    sign(texts.sprite, 'copy'),
    sign(texts.sprite, 'check'),
  ])
  pre.parentElement?.setAttribute('data-copy-from', '')
  copy.dataset['copy'] = ''
  copy.dataset['copiedText'] = texts.copied
  return keepReachable(pre, texts.code)
}

function tableBox(
  scroller: HTMLElement,
  texts: ProseTexts,
  enlarge: (html: string) => void,
): () => void {
  const open = frame(scroller, 'prose-enlarge', texts.enlarge, [sign(texts.sprite, 'expand')])
  open.hidden = true
  open.onclick = () => {
    const copy = scroller.querySelector('table')?.cloneNode(true)
    if (!(copy instanceof HTMLElement)) return
    // An id may stand in a page once.
    for (const named of copy.querySelectorAll('[id]')) named.removeAttribute('id')
    enlarge(copy.outerHTML)
  }
  return keepReachable(scroller, texts.table, (cut) => (open.hidden = !cut))
}

/** Adds to compiled text what only script can do. Returns what ends its observers. */
export function enhanceProse(
  prose: HTMLElement,
  texts: ProseTexts,
  enlarge: (html: string) => void,
): () => void {
  startCopying()
  const stops = [
    rememberTabs(prose),
    ...Array.from(prose.querySelectorAll<HTMLElement>('pre'), (pre) => codeBlock(pre, texts)),
    ...Array.from(prose.querySelectorAll<HTMLElement>('.table-scroll'), (scroller) =>
      tableBox(scroller, texts, enlarge),
    ),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
