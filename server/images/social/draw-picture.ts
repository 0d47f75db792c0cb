import { socialPicture } from '../../../shared/constants'
import { escapeXml } from '../../../shared/escape-html'
import { loadFonts, type Fonts } from './fonts'
import type { PictureText } from './picture-text'

const margin = 84
const titleWidth = socialPicture.width - 2 * margin
const titleWeight = 700
/** Sizes to try, largest first, each with the lines it may take; at the last size a title is cut. */
const sizes: ReadonlyArray<{ size: number; lines: number }> = [
  { size: 78, lines: 2 },
  { size: 66, lines: 3 },
  { size: 56, lines: 4 },
  { size: 46, lines: 5 },
]
const lineHeight = 1.32

/** Places where a line may end: between words, never before a closing or after an opening mark. */
function pieces(text: string, language: string): string[] {
  const parts: string[] = []
  let glue = false
  for (const { segment, isWordLike } of new Intl.Segmenter(language, {
    granularity: 'word',
  }).segment(text.replace(/\s+/g, ' ').trim())) {
    const closing = !isWordLike && /^[\p{Pe}\p{Pf}\p{Po}\p{Pd}\p{Mn}]/u.test(segment)
    const last = parts.length - 1
    const before = parts[last]
    if (before !== undefined && (glue || closing || segment === ' ' || /^\p{M}/u.test(segment)))
      parts[last] = before + segment
    else parts.push(segment)
    glue = /^[\p{Ps}\p{Pi}]/u.test(segment)
  }
  // What has no space between its words, as a hyphenated one, stays together where the language writes spaces.
  return parts
}

type Line = { svg: string; width: number }

async function linesAt(
  fonts: Fonts,
  words: readonly string[],
  language: string,
  size: number,
): Promise<string[]> {
  const lines: string[] = []
  let line = ''
  for (const word of words) {
    const longer = line + word
    if (
      line !== '' &&
      (await fonts.shape(longer.trimEnd(), language, size, titleWeight)).width > titleWidth
    ) {
      lines.push(line.trimEnd())
      line = word
    } else line = longer
  }
  return line.trimEnd() === '' ? lines : [...lines, line.trimEnd()]
}

/** The title in lines at the largest size at which it fits; cut with an ellipsis when it fits at none. */
async function layOut(
  fonts: Fonts,
  { title, language }: PictureText,
): Promise<{ size: number; lines: Line[] }> {
  const words = pieces(title, language)
  for (const { size, lines: most } of sizes) {
    const lines = await linesAt(fonts, words, language, size)
    const shaped = await Promise.all(
      lines.map((line) => fonts.shape(line, language, size, titleWeight)),
    )
    const last = size === sizes.at(-1)?.size
    if (!last && (lines.length > most || shaped.some(({ width }) => width > titleWidth))) continue
    if (lines.length <= most) return { size, lines: shaped }
    const kept = [...lines.slice(0, most - 1), `${lines[most - 1]?.replace(/.{1,2}$/u, '')}…`]
    return {
      size,
      lines: await Promise.all(kept.map((line) => fonts.shape(line, language, size, titleWeight))),
    }
  }
  throw new Error('there is no size to draw a title at')
}

/** The mark of the site: three facets, each with one cut corner. */
const mark = `<g transform="translate(${margin} 76) scale(2.1)"><path d="M2 2h13l4 4v13H2z" fill="#2f5bff"/><path d="M6.5 6.5h13l4 4v13h-17z" fill="#7c96ff" fill-opacity=".85"/><path d="M11 11h13l4 4v13H11z" fill="#ff9a4d"/></g>`

let fonts: Promise<Fonts> | null = null

/** The picture of a page as PNG: brand, title in its own script, host. Outlines are drawn, so no font of the machine matters. */
export async function drawPicture(text: PictureText): Promise<Buffer> {
  const loaded = await (fonts ??= loadFonts())
  const [brand, host, title] = await Promise.all([
    loaded.shape(text.brand, 'en-US', 40, 700),
    loaded.shape(text.host, 'en-US', 28, 400),
    layOut(loaded, text),
  ])
  const { width, height } = socialPicture
  const step = title.size * lineHeight
  const middle = 345
  const first = middle - (step * (title.lines.length - 1)) / 2 + title.size * 0.36
  const lines = title.lines
    .map(
      ({ svg }, index) =>
        `<g fill="#f4f7ff" transform="translate(${margin} ${(first + index * step).toFixed(1)})">${svg}</g>`,
    )
    .join('')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><title>${escapeXml(text.title)}</title>
<defs><linearGradient id="paper" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#0b1020"/><stop offset="1" stop-color="#18244a"/></linearGradient></defs>
<rect width="${width}" height="${height}" fill="url(#paper)"/><path d="M${width - 250} 0h250v250z" fill="#2f5bff" fill-opacity=".28"/><path d="M${width - 130} 0h130v130z" fill="#ff9a4d" fill-opacity=".75"/>
${mark}<g fill="#fff" transform="translate(${margin + 84} 122)">${brand.svg}</g>${lines}<g fill="#9fb0d8" transform="translate(${margin} ${height - 62})">${host.svg}</g></svg>`
  // Loaded with the first picture: a start shall not wait for it.
  const { default: sharp } = await import('sharp')
  return sharp(Buffer.from(svg)).png({ compressionLevel: 9, palette: true, quality: 90 }).toBuffer()
}
