import { socialPicture } from '../../../shared/constants'
import { escapeXml } from '../../../shared/escape-html'
import { loadOnce } from '../../load-once'
import { loadFonts, type Fonts, type ShapedText } from './fonts'
import type { PictureText } from './picture-text'

const { width, height } = socialPicture
/** Distances in pixels. */
const margin = 84
const titleWidth = width - 2 * margin
const titleCenterY = 345
const titleWeight = 700
/** Title sizes from large to small, with the lines each may take. A title that fits none is cut. */
const titleSizes: ReadonlyArray<{ size: number; maxLines: number }> = [
  { size: 78, maxLines: 2 },
  { size: 66, maxLines: 3 },
  { size: 56, maxLines: 4 },
  { size: 46, maxLines: 5 },
]
const lineHeight = 1.32
/** Half the height of a capital letter, as a share of the size: centers a line vertically. */
const halfCapHeight = 0.36

type Title = { size: number; lines: ShapedText[] }

/**
 * Splits a text where a line may end: between words, but not before closing punctuation and not
 * after opening punctuation. `Intl.Segmenter` also finds words in Chinese, Japanese and Thai.
 */
function splitIntoWords(text: string, language: string): string[] {
  const words: string[] = []
  const segmenter = new Intl.Segmenter(language, { granularity: 'word' })
  let joinsNext = false
  for (const { segment, isWordLike } of segmenter.segment(text.replace(/\s+/g, ' ').trim())) {
    const isClosing = !isWordLike && /^[\p{Pe}\p{Pf}\p{Po}\p{Pd}\p{Mn}]/u.test(segment)
    const joinsPrevious = joinsNext || isClosing || segment === ' ' || /^\p{M}/u.test(segment)
    const previous = words.at(-1)
    if (previous !== undefined && joinsPrevious) words[words.length - 1] = previous + segment
    else words.push(segment)
    joinsNext = /^[\p{Ps}\p{Pi}]/u.test(segment)
  }
  return words
}

/** Fills lines with words up to the width of the title. A single longer word keeps its own line. */
async function breakLines(
  words: readonly string[],
  widthOf: (line: string) => Promise<number>,
): Promise<string[]> {
  const lines: string[] = []
  let line = ''
  for (const word of words) {
    const longer = line + word
    if (line !== '' && (await widthOf(longer.trimEnd())) > titleWidth) {
      lines.push(line.trimEnd())
      line = word
    } else line = longer
  }
  return line.trimEnd() === '' ? lines : [...lines, line.trimEnd()]
}

/**
 * The title at the largest size at which it fits; at the smallest size it is cut with an ellipsis.
 */
async function layOutTitle(fonts: Fonts, { title, language }: PictureText): Promise<Title> {
  const words = splitIntoWords(title, language)
  let laidOut: Title = { size: 0, lines: [] }
  for (const { size, maxLines } of titleSizes) {
    const shape = (line: string): Promise<ShapedText> =>
      fonts.shape(line, { language, size, weight: titleWeight })
    const lines = await breakLines(words, async (line) => (await shape(line)).width)
    const shaped = await Promise.all(lines.map(shape))
    laidOut = { size, lines: shaped }
    if (lines.length > maxLines) {
      const cut = `${lines[maxLines - 1]?.replace(/.{1,2}$/u, '') ?? ''}…`
      laidOut.lines = [...shaped.slice(0, maxLines - 1), await shape(cut)]
    } else if (shaped.every((line) => line.width <= titleWidth)) break
  }
  return laidOut
}

/** The site's mark: three overlapping squares, each with one cut corner. */
const mark = `<g transform="translate(${margin} 76) scale(2.1)"><path d="M2 2h13l4 4v13H2z" fill="#2f5bff"/><path d="M6.5 6.5h13l4 4v13h-17z" fill="#7c96ff" fill-opacity=".85"/><path d="M11 11h13l4 4v13H11z" fill="#ff9a4d"/></g>`

function titleSvg({ size, lines }: Title): string {
  const step = size * lineHeight
  const firstBaseline = titleCenterY - (step * (lines.length - 1)) / 2 + size * halfCapHeight
  return lines
    .map(({ svg }, index) => {
      const y = (firstBaseline + index * step).toFixed(1)
      return `<g fill="#f4f7ff" transform="translate(${margin} ${y})">${svg}</g>`
    })
    .join('')
}

const getFonts = loadOnce(loadFonts)

/**
 * Draws the sharing picture of a page as PNG: brand, title in the script of its language, host.
 * Texts are drawn as outlines, so the fonts of the machine have no effect.
 */
export async function drawPicture(text: PictureText): Promise<Buffer> {
  const fonts = await getFonts()
  const [brand, host, title] = await Promise.all([
    fonts.shape(text.brand, { language: 'en-US', size: 40, weight: 700 }),
    fonts.shape(text.host, { language: 'en-US', size: 28, weight: 400 }),
    layOutTitle(fonts, text),
  ])
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><title>${escapeXml(text.title)}</title>
<defs><linearGradient id="paper" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#0b1020"/><stop offset="1" stop-color="#18244a"/></linearGradient></defs>
<rect width="${width}" height="${height}" fill="url(#paper)"/><path d="M${width - 250} 0h250v250z" fill="#2f5bff" fill-opacity=".28"/><path d="M${width - 130} 0h130v130z" fill="#ff9a4d" fill-opacity=".75"/>
${mark}<g fill="#fff" transform="translate(${margin + 84} 122)">${brand.svg}</g>${titleSvg(title)}<g fill="#9fb0d8" transform="translate(${margin} ${height - 62})">${host.svg}</g></svg>`
  // Loaded with the first picture, because loading sharp would delay the start of the server.
  const { default: sharp } = await import('sharp')
  return sharp(Buffer.from(svg)).png({ compressionLevel: 9, palette: true, quality: 90 }).toBuffer()
}
