import type { TrackKey } from '../../../shared/tracking-keys'
import type { IconName } from '../../icons/names'
import { rememberTabs } from './remember-tabs'
import { startCopyButtons } from '../start-copy-buttons'

export type ProseTexts = {
  /** URL of the icon sprite. */
  spriteUrl: string
  copy: string
  copied: string
  code: string
  table: string
  enlarge: string
  enlargePicture: string
}

/** Receives the HTML of a table or picture, and its title. */
type OnEnlarge = (html: string, title: string) => void

const svgNamespace = 'http://www.w3.org/2000/svg'

function createIcon(spriteUrl: string, name: IconName): SVGElement {
  const icon = document.createElementNS(svgNamespace, 'svg')
  icon.setAttribute('aria-hidden', 'true')
  const use = document.createElementNS(svgNamespace, 'use')
  use.setAttribute('href', `${spriteUrl}#${name}`)
  icon.append(use)
  return icon
}

/**
 * Wraps code or a table in a frame with a button. The button is outside of the element, so it does
 * not scroll with it. An element that already has a frame keeps it.
 */
function addFrame(
  element: HTMLElement,
  className: string,
  label: string,
  track: TrackKey,
  icons: readonly SVGElement[],
): HTMLButtonElement {
  const existing = element.parentElement?.matches('.prose-frame')
    ? element.parentElement.querySelector('button')
    : null
  if (existing) return existing
  const box = document.createElement('div')
  box.className = 'prose-frame'
  element.replaceWith(box)
  const button = document.createElement('button')
  button.type = 'button'
  button.className = `prose-button ${className}`
  button.setAttribute('aria-label', label)
  button.title = label
  button.dataset['track'] = track
  button.append(...icons)
  box.append(element, button)
  return button
}

/** Makes an element focusable while its content overflows, so the keyboard can scroll it. */
function makeScrollable(
  element: HTMLElement,
  label: string,
  onChange?: (overflows: boolean) => void,
): () => void {
  const observer = new ResizeObserver(() => {
    const overflows = element.scrollWidth > element.clientWidth + 1
    for (const [name, value] of [
      ['tabindex', '0'],
      ['role', 'group'],
      ['aria-label', label],
    ] as const) {
      if (overflows) element.setAttribute(name, value)
      else element.removeAttribute(name)
    }
    onChange?.(overflows)
  })
  observer.observe(element)
  return () => observer.disconnect()
}

function enhanceCode(pre: HTMLElement, texts: ProseTexts): () => void {
  const copyButton = addFrame(pre, 'prose-copy', texts.copy, 'article-copy', [
    createIcon(texts.spriteUrl, 'copy'),
    createIcon(texts.spriteUrl, 'check'),
  ])
  pre.parentElement?.setAttribute('data-copy-from', '')
  copyButton.dataset['copy'] = ''
  copyButton.dataset['copiedText'] = texts.copied
  return makeScrollable(pre, texts.code)
}

function enhanceTable(scroller: HTMLElement, texts: ProseTexts, onEnlarge: OnEnlarge): () => void {
  const enlargeButton = addFrame(scroller, 'prose-enlarge', texts.enlarge, 'article-table', [
    createIcon(texts.spriteUrl, 'expand'),
  ])
  enlargeButton.hidden = true
  enlargeButton.onclick = () => {
    const copy = scroller.querySelector('table')?.cloneNode(true)
    if (!(copy instanceof HTMLElement)) return
    // Ids must be unique in the page.
    for (const element of copy.querySelectorAll('[id]')) element.removeAttribute('id')
    onEnlarge(copy.outerHTML, texts.table)
  }
  return makeScrollable(scroller, texts.table, (overflows) => {
    enlargeButton.hidden = !overflows
  })
}

/** A picture gets its button while it is shown much smaller than it is. */
const minEnlargement = 1.25

function enhancePicture(picture: HTMLElement, texts: ProseTexts, onEnlarge: OnEnlarge): () => void {
  const image = picture.querySelector('img')
  if (!image) return () => undefined
  const button = addFrame(picture, 'prose-zoom', texts.enlargePicture, 'article-picture', [
    createIcon(texts.spriteUrl, 'expand'),
  ])
  button.onclick = () => {
    // Cast: a clone has the class of its original.
    const copy = picture.cloneNode(true) as HTMLElement
    for (const source of copy.querySelectorAll('source')) source.sizes = '100vw'
    onEnlarge(copy.outerHTML, image.alt)
  }
  const observer = new ResizeObserver(() => {
    button.hidden = Number(image.getAttribute('width')) < image.clientWidth * minEnlargement
  })
  observer.observe(image)
  return () => observer.disconnect()
}

/**
 * Adds to compiled Markdown what needs script: copy buttons, enlarging of tables and pictures,
 * keyboard scrolling. Returns the function that stops the observers.
 */
export function enhanceProse(
  prose: HTMLElement,
  texts: ProseTexts,
  onEnlarge: OnEnlarge,
): () => void {
  startCopyButtons()
  const stops = [
    rememberTabs(prose),
    ...Array.from(prose.querySelectorAll<HTMLElement>('pre'), (pre) => enhanceCode(pre, texts)),
    ...Array.from(prose.querySelectorAll<HTMLElement>('.table-scroll'), (scroller) =>
      enhanceTable(scroller, texts, onEnlarge),
    ),
    ...Array.from(prose.querySelectorAll<HTMLElement>('picture'), (picture) =>
      enhancePicture(picture, texts, onEnlarge),
    ),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
