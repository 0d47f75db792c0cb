import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type * as HarfBuzz from 'harfbuzzjs'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'

/** Font packages. Each family is split into files by Unicode range, as for browsers. */
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

/**
 * Chinese, Japanese and Korean share code points but not letter shapes, so the family of the
 * language comes before all others. Other languages use the families in the order above.
 */
const preferredFamily: Readonly<Record<string, Family>> = {
  'zh-CN': 'noto-sans-sc',
  'zh-TW': 'noto-sans-tc',
  'ja-JP': 'noto-sans-jp',
  'ko-KR': 'noto-sans-kr',
}

type FontFile = { path: string; ranges: ReadonlyArray<readonly [number, number]> }
type Run = { text: string; path: string }
type Point = { x: number; y: number }

/**
 * How to shape a text: its language (ISO tag), its size in pixels and its weight (400 = regular).
 */
type TextStyle = { language: string; size: number; weight: number }
/** SVG paths at the origin, and the width in pixels. */
export type ShapedText = { svg: string; width: number }
export type Fonts = Awaited<ReturnType<typeof loadFonts>>

/** Resolves packages that are not bundled because they read files of their own folder. */
const requireUnbundled = createRequire(__filename)

/** Uncompressed fonts in memory, about 150 KB each. */
const maxCachedFonts = 48

/** Parses the ranges of a CSS `unicode-range`: `U+0-FF,U+131`. */
const parseRanges = (text: string): Array<[number, number]> =>
  text.split(',').map((range) => {
    const [from = '0', to = from] = range.trim().replace(/^U\+/i, '').split('-')
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
  })

/** Files of a family. Its `unicode.json` names them `[4]` or `latin`, each with its ranges. */
function fontFilesOf(family: Family): FontFile[] {
  const folder = dirname(requireUnbundled.resolve(`@fontsource-variable/${family}/package.json`))
  const subsets = z
    .record(z.string(), z.string())
    .parse(JSON.parse(readFileSync(join(folder, 'unicode.json'), 'utf8')))
  // Ranges overlap and the later one wins, as in CSS: the dotless i of `latin` is also in the range
  // of `latin-ext`, whose file does not have it.
  return Object.entries(subsets)
    .reverse()
    .map(([name, ranges]) => ({
      path: join(folder, 'files', `${family}-${name.replace(/[[\]]/g, '')}-wght-normal.woff2`),
      ranges: parseRanges(ranges),
    }))
}

const covers = ({ ranges }: FontFile, code: number): boolean =>
  ranges.some(([from, to]) => code >= from && code <= to)

/**
 * Splits a text where its font file changes. Combining marks stay with their letter. Characters
 * that no file covers are left out.
 */
function splitIntoRuns(text: string, language: string, candidates: readonly FontFile[]): Run[] {
  const runs: Run[] = []
  const graphemes = new Intl.Segmenter(language, { granularity: 'grapheme' })
  for (const { segment } of graphemes.segment(text)) {
    const code = segment.codePointAt(0) ?? 0
    const file = candidates.find((candidate) => covers(candidate, code))
    if (!file) continue
    const last = runs.at(-1)
    if (last?.path === file.path) last.text += segment
    else runs.push({ text: segment, path: file.path })
  }
  return runs
}

/** Outlines of one run that starts at `startX` (px), as SVG paths, and the x at which it ends. */
function outlineRun(
  hb: typeof HarfBuzz,
  font: HarfBuzz.Font,
  { text, language, size }: { text: string; language: string; size: number },
  startX: number,
): { paths: string[]; endX: number } {
  const scale = size / font.face.upem
  const buffer = new hb.Buffer()
  buffer.addText(text)
  buffer.guessSegmentProperties()
  buffer.setLanguage(language)
  hb.shape(font, buffer)
  const paths: string[] = []
  let x = startX
  for (const glyph of buffer.getGlyphInfosAndPositions()) {
    // Glyph 0 is the box for a missing letter.
    if (glyph.codepoint === 0) continue
    const path = font.glyphToPath(glyph.codepoint)
    const origin: Point = {
      x: x + (glyph.xOffset ?? 0) * scale,
      y: -(glyph.yOffset ?? 0) * scale,
    }
    if (path) paths.push(glyphSvg(path, origin, scale))
    x += (glyph.xAdvance ?? 0) * scale
  }
  return { paths, endX: x }
}

/** Fonts have y upwards, SVG downwards: hence the negative scale. */
const glyphSvg = (path: string, { x, y }: Point, scale: number): string =>
  `<path transform="translate(${x.toFixed(2)} ${y.toFixed(2)}) scale(${scale.toFixed(5)} ${(-scale).toFixed(5)})" d="${path}"/>`

/**
 * Loads HarfBuzz and lists the font files. A font file is uncompressed when a text first needs it.
 */
export async function loadFonts() {
  // A dynamic import has no type here: the types are those of the package.
  const hb = (await import(
    /* webpackIgnore: true */ requireUnbundled.resolve('harfbuzzjs')
  )) as typeof HarfBuzz
  // The package has no types.
  const { decompress } = requireUnbundled('wawoff2') as {
    decompress: (file: Buffer) => Promise<Uint8Array>
  }
  const filesOf = new Map(families.map((family) => [family, fontFilesOf(family)]))
  const cache = new LRUCache<string, HarfBuzz.Font>({ max: maxCachedFonts })

  function candidatesFor(language: string): FontFile[] {
    const preferred = preferredFamily[language]
    const order = preferred
      ? [preferred, ...families.filter((family) => family !== preferred)]
      : families
    return order.flatMap((family) => filesOf.get(family) ?? [])
  }

  async function openFont(path: string, weight: number): Promise<HarfBuzz.Font> {
    const key = `${weight} ${path}`
    const cached = cache.get(key)
    if (cached) return cached
    const bytes = await decompress(readFileSync(path))
    const font = new hb.Font(new hb.Face(new hb.Blob(bytes)))
    font.setVariations([new hb.Variation('wght', weight)])
    cache.set(key, font)
    return font
  }

  return {
    /** Outlines of one line of text. */
    async shape(text: string, { language, size, weight }: TextStyle): Promise<ShapedText> {
      let width = 0
      const paths: string[] = []
      for (const run of splitIntoRuns(text, language, candidatesFor(language))) {
        const font = await openFont(run.path, weight)
        const outline = outlineRun(hb, font, { text: run.text, language, size }, width)
        paths.push(...outline.paths)
        width = outline.endX
      }
      return { svg: paths.join(''), width }
    },
  }
}
