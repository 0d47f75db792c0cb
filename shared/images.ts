/**
 * URLs of the image proxy (spec 6.8): the widths, formats and presets that it offers, and the
 * function that builds its URLs. The server refuses anything else: without fixed lists a client
 * could make it encode an unlimited number of variants.
 */
import { breakpoints, images } from './constants'
import { reservedPaths } from './reserved-paths'

type Breakpoint = keyof typeof breakpoints
export type BitmapFormat = 'avif' | 'webp' | 'png' | 'jpeg' | 'gif'
export type SourceFormat = BitmapFormat | 'svg'

const sorted = (widths: readonly number[]): readonly number[] =>
  [...new Set(widths)].sort((a, b) => a - b)

/** Widths (px) that a URL may contain: every breakpoint at each density. */
export const allowedWidths: readonly number[] = sorted(
  Object.values(breakpoints).flatMap((width) => images.densities.map((density) => width * density)),
)
/** px */
export const maxPictureWidth = Math.max(...allowedWidths)

/** Named settings. `photo` is for pictures whose noise hides the loss of a lower quality. */
export const presets = {
  photo: { quality: 80 },
  thumbnail: { quality: 80, width: breakpoints.xs, format: 'auto' },
} as const satisfies Record<
  string,
  { quality: number; width?: number; format?: 'auto' | 'avif' | 'webp' }
>
type Preset = keyof typeof presets
export const isPreset = (name: string): name is Preset => Object.hasOwn(presets, name)

/** Qualities that a URL may contain: the default and those of the presets. */
export const allowedQualities: readonly number[] = sorted([
  images.quality,
  ...Object.values(presets).map(({ quality }) => quality),
])

/** Where a picture is stored: in `public/`, beside an article, or on a host of `IMAGE_HOSTS`. */
const providers = ['public', 'content', 'remote'] as const
type Provider = (typeof providers)[number]

/**
 * A picture. Its size (px) reserves the space while it loads; its version makes the URL immutable.
 */
export type Picture = {
  provider: Provider
  /** `/pictures/a.png` of `public/`, `blog/id/a.png` of the content folder, or an http(s) URL. */
  source: string
  width: number
  height: number
  /** First 12 hexadecimal digits of the SHA-256 of its bytes; absent for remote pictures. */
  version?: string
  /** Token of the preview that shows it, for a picture beside a draft. */
  preview?: string
}
/** The query parameter that holds the token of a preview. */
export const previewParam = 'preview'
/** URL of a picture that only the holders of a preview link may see. */
export const withPreviewToken = (url: string, token: string): string =>
  `${url}?${previewParam}=${token}`

type Modifiers = {
  width?: number
  density?: 1 | 2
  format?: 'auto' | BitmapFormat
  quality?: number
  preset?: Preset
  version?: string | undefined
}

function sourcePath(provider: Provider, source: string): string {
  if (provider === 'remote') return encodeURIComponent(source)
  const path = source
    .split('/')
    .filter((segment) => segment !== '')
    .map(encodeURIComponent)
    .join('/')
  return provider === 'content' ? `content/${path}` : path
}

/**
 * URL of a variant below `/_image/`. Throws a TypeError for a source that is not a string, and an
 * Error for an unknown provider, an unknown preset or a width that is not allowed: such a mistake
 * must be found while the page is rendered.
 */
export function imageUrl(provider: Provider, source: string, modifiers: Modifiers = {}): string {
  // Page data comes from JSON, so the type alone proves nothing.
  const value: unknown = source
  if (typeof value !== 'string' || value === '')
    throw new TypeError(
      `a picture needs a source, not ${value === '' ? 'an empty string' : typeof value}`,
    )
  if (!providers.includes(provider)) throw new Error(`unknown image provider: ${provider}`)
  const { width, density, format, quality, preset, version } = modifiers
  if (preset !== undefined && !isPreset(preset))
    throw new Error(`unknown image preset: ${String(preset)}`)
  if (width !== undefined && !allowedWidths.includes(width))
    throw new Error(`not an allowed width: ${width}`)
  const parts = [
    width === undefined ? '' : `w_${width}`,
    format ? `f_${format}` : '',
    quality === undefined ? '' : `q_${quality}`,
    density === undefined ? '' : `dpr_${density}`,
    preset ?? '',
    version ? `v_${version}` : '',
  ].filter(Boolean)
  return `${reservedPaths.images.path}/${parts.join(',') || '_'}/${sourcePath(provider, source)}`
}

export type PictureUse = {
  /** Display widths, as names of breakpoints; each is offered at every density. */
  widths: readonly Breakpoint[]
  preset?: Preset | undefined
}

/**
 * Where an article's cover is shown: at the top of the article, and on a card. The build encodes
 * these variants of the starter articles.
 */
export const coverUses = {
  head: { widths: ['xs', 'mobile'], preset: 'photo' },
  card: { widths: ['xs', 'mobile_s'], preset: 'photo' },
} as const satisfies Record<string, PictureUse>

/** Widths that a picture is offered in: all that are narrower than it, and the next one. */
export function offeredWidths(
  picture: Pick<Picture, 'width'>,
  { widths }: Pick<PictureUse, 'widths'>,
): readonly number[] {
  const all = sorted(
    widths.flatMap((name) => images.densities.map((density) => breakpoints[name] * density)),
  )
  const narrower = all.filter((width) => width < picture.width)
  const covering = all.find((width) => width >= picture.width)
  return covering === undefined ? narrower : [...narrower, covering]
}

export type PictureSources = {
  sources: ReadonlyArray<{ type: string; srcSet: string }>
  /** For a browser that supports neither format. */
  src: string
}

/** Sources of a `<picture>`: avif, then webp, each in every width, and the source's own format. */
export function pictureSources(picture: Picture, use: PictureUse): PictureSources {
  const { provider, source, version, preview } = picture
  const urlOf = (modifiers: Modifiers): string => {
    const url = imageUrl(provider, source, { ...modifiers, version })
    return preview ? withPreviewToken(url, preview) : url
  }
  // An SVG is sharp at every size, and smaller than any bitmap of it.
  if (source.toLowerCase().endsWith('.svg')) return { sources: [], src: urlOf({}) }
  const offered = offeredWidths(picture, use)
  const url = (width: number | undefined, format?: BitmapFormat): string =>
    urlOf({
      ...(width === undefined ? {} : { width }),
      ...(format ? { format } : {}),
      ...(use.preset ? { preset: use.preset } : {}),
    })
  // `w` must be the real width of the file: the proxy never enlarges a picture.
  const srcSet = (format: BitmapFormat): string =>
    offered.map((width) => `${url(width, format)} ${Math.min(width, picture.width)}w`).join(', ')
  return {
    sources: images.formats.map((format) => ({ type: `image/${format}`, srcSet: srcSet(format) })),
    src: url(offered[Math.floor((offered.length - 1) / 2)]),
  }
}
