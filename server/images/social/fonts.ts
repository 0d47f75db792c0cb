import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type * as HarfBuzz from 'harfbuzzjs'
import { LRUCache } from 'lru-cache'

/** Families in npm packages. Each is cut into files by ranges of Unicode, as for browsers. */
const families = [
  'noto-sans',
  'noto-sans-thai',
  'noto-sans-devanagari',
  'noto-sans-sc',
  'noto-sans-tc',
  'noto-sans-jp',
  'noto-sans-kr',
] as const
type Family = (typeof families)[number]

/** Chinese, Japanese and Korean share code points and differ in shapes: the language's own family comes first. */
const firstOf: Readonly<Record<string, Family>> = {
  'zh-CN': 'noto-sans-sc',
  'zh-TW': 'noto-sans-tc',
  'ja-JP': 'noto-sans-jp',
  'ko-KR': 'noto-sans-kr',
}

type FontFile = { path: string; ranges: ReadonlyArray<readonly [number, number]> }
export type Run = { text: string; path: string }

/** Packages that stay outside of the bundle, because they read files of their own: found from where this code lies. */
const outside = createRequire(__filename)

/** Font files that are kept unpacked: some 150 KB each. */
const keptFonts = 48

const parseRanges = (text: string): Array<[number, number]> =>
  text.split(',').map((part) => {
    const [from = '0', to = from] = part.trim().replace(/^U\+/i, '').split('-')
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
  })

/** Files of a family: `unicode.json` names subsets as `[4]` or `latin`, the files lie beside it. */
function filesOf(family: Family): FontFile[] {
  const folder = dirname(outside.resolve(`@fontsource-variable/${family}/package.json`))
  const subsets = JSON.parse(readFileSync(join(folder, 'unicode.json'), 'utf8')) as Record<
    string,
    string
  >
  // Ranges overlap, and as in CSS the later one holds the letter: `latin` has the dotless i, though `latin-ext` spans it.
  return Object.entries(subsets)
    .reverse()
    .map(([name, ranges]) => ({
      path: join(folder, 'files', `${family}-${name.replace(/[[\]]/g, '')}-wght-normal.woff2`),
      ranges: parseRanges(ranges),
    }))
}

export type Fonts = Awaited<ReturnType<typeof loadFonts>>

/** The fonts of pictures: listed when the first picture is made, and unpacked file by file as letters need them. */
export async function loadFonts() {
  // HarfBuzz is an ES module; its types are those of the package.
  const hb = (await import(
    /* webpackIgnore: true */ outside.resolve('harfbuzzjs')
  )) as typeof HarfBuzz
  const { decompress } = outside('wawoff2') as { decompress: (file: Buffer) => Promise<Uint8Array> }
  const files = new Map(families.map((family) => [family, filesOf(family)]))
  const fonts = new LRUCache<string, HarfBuzz.Font>({ max: keptFonts })

  const covers = ({ ranges }: FontFile, code: number): boolean =>
    ranges.some(([from, to]) => code >= from && code <= to)

  function order(language: string): Family[] {
    const first = firstOf[language]
    const rest = families.filter((family) => family !== first)
    // Latin letters stay in one family in every language but those whose own family brings fitting ones.
    return first ? [first, ...rest] : [...families]
  }

  async function font(path: string, weight: number): Promise<HarfBuzz.Font> {
    const key = `${weight} ${path}`
    const known = fonts.get(key)
    if (known) return known
    const bytes = await decompress(readFileSync(path))
    const made = new hb.Font(new hb.Face(new hb.Blob(bytes)))
    made.setVariations([new hb.Variation('wght', weight)])
    fonts.set(key, made)
    return made
  }

  /** Text cut where the font file changes; what no file has is left out. Marks stay with the letter they belong to. */
  function runs(text: string, language: string): Run[] {
    const found: Run[] = []
    const candidates = order(language).flatMap((family) => files.get(family) ?? [])
    for (const { segment } of new Intl.Segmenter(language, { granularity: 'grapheme' }).segment(
      text,
    )) {
      const code = segment.codePointAt(0) ?? 0
      const last = found.at(-1)
      const file = candidates.find((candidate) => covers(candidate, code))
      if (!file) continue
      if (last?.path === file.path) last.text += segment
      else found.push({ text: segment, path: file.path })
    }
    return found
  }

  /** Outlines of a line as SVG paths at the origin, with its width (px). */
  async function shape(
    text: string,
    language: string,
    size: number,
    weight: number,
  ): Promise<{ svg: string; width: number }> {
    let x = 0
    const parts: string[] = []
    for (const run of runs(text, language)) {
      const face = await font(run.path, weight)
      const scale = size / face.face.upem
      const buffer = new hb.Buffer()
      buffer.addText(run.text)
      buffer.guessSegmentProperties()
      buffer.setLanguage(language)
      hb.shape(face, buffer)
      for (const glyph of buffer.getGlyphInfosAndPositions()) {
        // Glyph 0 is the empty box of a letter that is missing after all.
        if (glyph.codepoint === 0) continue
        const path = face.glyphToPath(glyph.codepoint)
        if (path)
          parts.push(
            `<path transform="translate(${(x + (glyph.xOffset ?? 0) * scale).toFixed(2)} ${(-(glyph.yOffset ?? 0) * scale).toFixed(2)}) scale(${scale.toFixed(5)} ${(-scale).toFixed(5)})" d="${path}"/>`,
          )
        x += (glyph.xAdvance ?? 0) * scale
      }
    }
    return { svg: parts.join(''), width: x }
  }

  return { shape }
}
