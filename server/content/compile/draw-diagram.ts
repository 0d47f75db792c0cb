import { escapeHtml } from '../../../shared/escape-html'
import type { LocaleCode } from '../../../shared/i18n/locales'
import { isTextStyle, textStyles, type Drawing, type Shape } from './parse-drawing'
import { emWidth, wrapText } from './wrap-text'

/** The texts of one diagram in one language, by the names that its drawings give them. */
export type DiagramTexts = Readonly<Record<string, string>>
export type Diagram = {
  wide: Drawing
  /** For columns of less than 520 px; null: the wide one serves there too. */ narrow: Drawing | null
}
type Words = { alt: string; caption: string; texts: DiagramTexts; locale: LocaleCode }

/** Distance of lines in em; scripts with marks above and below need more. */
const leadingOf = (locale: LocaleCode): number => (locale === 'th' || locale === 'hi' ? 1.5 : 1.3)
/** From the middle of a line to its baseline, in em. */
const toBaseline = 0.35
const oneLine = 1

type Pen = { words: Words; used: Set<string>; problems: Set<string> }

/** A text about the point (x, y): wrapped to `data-width`, its lines centred vertically on y. */
function drawText(shape: Shape, { words, used, problems }: Pen): string {
  const get = (name: string): string => shape.attributes.get(name) ?? ''
  const key = get('data-text')
  const text =
    key === '' ? shape.text.trim() : Object.hasOwn(words.texts, key) ? words.texts[key] : undefined
  if (key !== '') used.add(key)
  if (text === undefined) {
    problems.add(`lacks the text "${key}"`)
    return ''
  }
  const style = get('class')
  const look = textStyles[isTextStyle(style) ? style : 'label']
  const width = Number(get('data-width')) / look.size
  const most = Number(get('data-lines')) || oneLine
  const lines = width > 0 ? wrapText(text, width, words.locale, look) : [text]
  if (width > 0 && (lines.length > most || lines.some((line) => emWidth(line, look) > width)))
    problems.add(`"${key || text}" has no room for "${text}": shorten it`)
  const leading = leadingOf(words.locale)
  const first = toBaseline - ((lines.length - 1) / 2) * leading
  const spans = lines.map(
    (line, index) =>
      `<tspan x="${get('x')}" dy="${(index === 0 ? first : leading).toFixed(2)}em">${escapeHtml(line)}</tspan>`,
  )
  return `<text${attributesOf(shape)} font-size="${look.size}">${spans.join('')}</text>`
}

const attributesOf = ({ attributes }: Shape): string =>
  [...attributes]
    .filter(([name]) => !name.startsWith('data-'))
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join('')

function draw(shape: Shape, pen: Pen): string {
  if (shape.name === 'text') return drawText(shape, pen)
  const inside = shape.children.map((child) => draw(child, pen)).join('')
  return inside === ''
    ? `<${shape.name}${attributesOf(shape)}/>`
    : `<${shape.name}${attributesOf(shape)}>${inside}</${shape.name}>`
}

/**
 * A diagram as it stands in a page: `<figure>` with one SVG for wide and one for narrow columns (CSS shows one), its words in the language of the
 * text, its colours by classes. The letters are text, in the fonts of the visitor's own machine.
 * `problems`: texts that are missing, superfluous or too long for their place.
 */
export function drawDiagram(
  { wide, narrow }: Diagram,
  words: Words,
): { html: string; problems: string[] } {
  const pen: Pen = { words, used: new Set(), problems: new Set() }
  const svg = ({ width, height, shapes }: Drawing, name: string): string =>
    `<svg class="${name}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeHtml(words.alt)}">${shapes.map((shape) => draw(shape, pen)).join('')}</svg>`
  const drawn = narrow
    ? svg(wide, 'diagram-wide') + svg(narrow, 'diagram-narrow')
    : svg(wide, 'diagram-only')
  for (const key of Object.keys(words.texts))
    if (!pen.used.has(key)) pen.problems.add(`has no place for the text "${key}"`)
  const caption = words.caption && `<figcaption>${escapeHtml(words.caption)}</figcaption>`
  return {
    html: `<figure class="diagram">${drawn}${caption}</figure>`,
    problems: [...pen.problems],
  }
}

/** Compiled HTML with the description in place of each diagram: feed readers have no style sheet of ours, and would show both drawings in black. */
export const diagramsAsWords = (html: string): string =>
  html.replace(
    /<figure class="diagram"><svg [^>]*aria-label="([^"]*)"[^]*?<\/figure>/g,
    (_, alt: string) => `<p><em>${alt}</em></p>`,
  )
