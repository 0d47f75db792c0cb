import { escapeHtml } from '../../../shared/escape-html'
import type { LocaleCode } from '../../../shared/i18n/locales'
import { isTextStyle, textStyles, type Drawing, type Shape } from './parse-drawing'
import { emWidth, wrapText } from './wrap-text'

/** The texts of one diagram in one language, by their names in its drawings. */
type DiagramTexts = Readonly<Record<string, string>>
export type Diagram = {
  wide: Drawing
  /** For columns of less than 520 px; null: the wide drawing is used there too. */
  narrow: Drawing | null
}
type Labels = { alt: string; caption: string; texts: DiagramTexts; locale: LocaleCode }

/** Line height in em; scripts with marks above and below the letters need more. */
const lineHeightOf = (locale: LocaleCode): number =>
  locale === 'th' || locale === 'hi' ? 1.5 : 1.3
/** Distance from the middle of a line to its baseline, in em. */
const baselineOffset = 0.35

/** State while a diagram is drawn: names of the texts used so far, and problems. */
type DrawingState = { labels: Labels; usedTexts: Set<string>; problems: Set<string> }

/** A text, wrapped to `data-width`, whose lines are centered vertically on its `y`. */
function drawText(shape: Shape, { labels, usedTexts, problems }: DrawingState): string {
  const get = (name: string): string => shape.attributes.get(name) ?? ''
  const key = get('data-text')
  const translated = Object.hasOwn(labels.texts, key) ? labels.texts[key] : undefined
  const text = key === '' ? shape.text.trim() : translated
  if (key !== '') usedTexts.add(key)
  if (text === undefined) {
    problems.add(`lacks the text "${key}"`)
    return ''
  }
  const className = get('class')
  const style = textStyles[isTextStyle(className) ? className : 'label']
  const width = Number(get('data-width')) / style.size
  const maxLines = Number(get('data-lines')) || 1
  const lines = width > 0 ? wrapText(text, width, labels.locale, style) : [text]
  const isTooWide = lines.some((line) => emWidth(line, style) > width)
  if (width > 0 && (lines.length > maxLines || isTooWide))
    problems.add(`"${key || text}" has no room for "${text}": shorten it`)
  const lineHeight = lineHeightOf(labels.locale)
  const firstOffset = baselineOffset - ((lines.length - 1) / 2) * lineHeight
  const spans = lines.map((line, index) => {
    const dy = (index === 0 ? firstOffset : lineHeight).toFixed(2)
    return `<tspan x="${get('x')}" dy="${dy}em">${escapeHtml(line)}</tspan>`
  })
  return `<text${attributesOf(shape)} font-size="${style.size}">${spans.join('')}</text>`
}

const attributesOf = ({ attributes }: Shape): string =>
  [...attributes]
    .filter(([name]) => !name.startsWith('data-'))
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join('')

function drawShape(shape: Shape, state: DrawingState): string {
  if (shape.name === 'text') return drawText(shape, state)
  const children = shape.children.map((child) => drawShape(child, state)).join('')
  return children === ''
    ? `<${shape.name}${attributesOf(shape)}/>`
    : `<${shape.name}${attributesOf(shape)}>${children}</${shape.name}>`
}

/**
 * A diagram as HTML: a `<figure>` with one SVG for wide and one for narrow columns, of which CSS
 * shows one. Its labels are in the language of the article, as text in the visitor's fonts; its
 * colors are classes (decision 80). `problems`: labels that are missing, unused or too long.
 */
export function drawDiagram(
  { wide, narrow }: Diagram,
  labels: Labels,
): { html: string; problems: string[] } {
  const state: DrawingState = { labels, usedTexts: new Set(), problems: new Set() }
  const svg = ({ width, height, shapes }: Drawing, className: string): string => {
    const content = shapes.map((shape) => drawShape(shape, state)).join('')
    return `<svg class="${className}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeHtml(labels.alt)}">${content}</svg>`
  }
  const svgs = narrow
    ? svg(wide, 'diagram-wide') + svg(narrow, 'diagram-narrow')
    : svg(wide, 'diagram-only')
  for (const key of Object.keys(labels.texts))
    if (!state.usedTexts.has(key)) state.problems.add(`has no place for the text "${key}"`)
  const caption = labels.caption && `<figcaption>${escapeHtml(labels.caption)}</figcaption>`
  return {
    html: `<figure class="diagram">${svgs}${caption}</figure>`,
    problems: [...state.problems],
  }
}

const opening = '<figure class="diagram"><svg '
const closing = '</figure>'

/** Replaces the diagram at the start of a text by its description. */
function describeDiagram(text: string): string {
  if (!text.startsWith(opening)) return text
  const tag = text.slice(0, text.indexOf('>', opening.length) + 1)
  const alt = / aria-label="([^"]*)">$/.exec(tag)?.[1]
  const end = text.indexOf(closing)
  if (alt === undefined || end < 0) return text
  return `<p><em>${alt}</em></p>${text.slice(end + closing.length)}`
}

/**
 * Compiled HTML with the description instead of each diagram. Feed readers do not have the site's
 * style sheet, so they would show both drawings, in black.
 */
export const diagramsAsText = (html: string): string =>
  html
    .split(/(?=<figure class="diagram">)/)
    .map(describeDiagram)
    .join('')
