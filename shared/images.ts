/**
 * Addresses of pictures (spec section 9): which widths, formats and presets the image proxy makes, and the one function
 * that writes its URLs. The server refuses what is not listed here, so nobody can make it compute endless variants.
 */
import { breakpoints, images } from './constants'

export type Breakpoint = keyof typeof breakpoints
export type BitmapFormat = 'avif' | 'webp' | 'png' | 'jpeg' | 'gif'
export type SourceFormat = BitmapFormat | 'svg'

const sorted = (widths: readonly number[]): readonly number[] =>
  [...new Set(widths)].sort((a, b) => a - b)

/** Widths that a URL may name (px): every breakpoint, at each density. */
export const listedWidths: readonly number[] = sorted(
  Object.values(breakpoints).flatMap((width) => images.densities.map((density) => width * density)),
)
/** No picture is made wider than this (px). */
export const widestPicture = Math.max(...listedWidths)

/** Settings that belong together, by name: `photo` is for pictures whose noise hides what a lower quality loses. */
export const presets = {
  photo: { quality: 80 },
  thumbnail: { quality: 80, width: breakpoints.xs, format: 'auto' },
} as const satisfies Record<
  string,
  { quality: number; width?: number; format?: 'auto' | 'avif' | 'webp' }
>
export type Preset = keyof typeof presets
export const isPreset = (name: string): name is Preset => Object.hasOwn(presets, name)

/** Qualities that a URL may name: the default and those of the presets. */
export const listedQualities: readonly number[] = sorted([
  images.quality,
  ...Object.values(presets).map(({ quality }) => quality),
])

/** Where a picture lies: `public/`, beside an article, or at a host of `IMAGE_HOSTS`. */
export const providers = ['public', 'content', 'remote'] as const
export type Provider = (typeof providers)[number]

/** A picture and what is known of it: its size (px) keeps its place free, its version makes its address immutable. */
export type Picture = {
  provider: Provider
  /** `/pictures/a.png` of `public/`, `blog/id/a.png` of the content folder, or an http(s) address. */
  source: string
  width: number
  height: number
  /** First 12 hexadecimal digits of the SHA-256 of its bytes; absent for remote pictures. */
  version?: string
}

export type Modifiers = {
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
 * Address of a variant below `/_image/`. Throws a TypeError for a source that is no string, and an Error for an unknown
 * provider or preset, or a width that is not listed (spec section 8): such a mistake must show while a page is made.
 */
export function imageUrl(provider: Provider, source: string, modifiers: Modifiers = {}): string {
  const given: unknown = source
  if (typeof given !== 'string' || given === '')
    throw new TypeError(
      `the source of a picture is a string, not ${given === '' ? 'an empty one' : typeof given}`,
    )
  if (!providers.includes(provider)) throw new Error(`unknown image provider: ${provider}`)
  const { width, density, format, quality, preset, version } = modifiers
  if (preset !== undefined && !isPreset(preset))
    throw new Error(`unknown image preset: ${String(preset)}`)
  if (width !== undefined && !listedWidths.includes(width))
    throw new Error(`not a listed width: ${width}`)
  const parts = [
    width === undefined ? '' : `w_${width}`,
    format ? `f_${format}` : '',
    quality === undefined ? '' : `q_${quality}`,
    density === undefined ? '' : `dpr_${density}`,
    preset ?? '',
    version ? `v_${version}` : '',
  ].filter(Boolean)
  return `/_image/${parts.join(',') || '_'}/${sourcePath(provider, source)}`
}

export type PictureUse = {
  /** Widths (px) at which it is shown, by breakpoint; each is offered at both densities. */
  widths: readonly Breakpoint[]
  preset?: Preset | undefined
}

/** Where an article's cover is shown: at its head, and on a card. The build makes these variants of the starter articles. */
export const coverUses = {
  head: { widths: ['xs', 'mobile'], preset: 'photo' },
  card: { widths: ['xs', 'mobile_s'], preset: 'photo' },
} as const satisfies Record<string, PictureUse>

/** Widths that a picture is offered in: never wider than itself, but for the first that covers it. */
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
  /** For a browser that knows neither format. */ src: string
}

/** What a `<picture>` offers: avif, then webp, each in every width, and the source's own format. */
export function pictureSources(picture: Picture, use: PictureUse): PictureSources {
  const { provider, source, version } = picture
  // A drawing is sharp at every size, and smaller than any picture of it.
  if (source.toLowerCase().endsWith('.svg'))
    return { sources: [], src: imageUrl(provider, source, { version }) }
  const offered = offeredWidths(picture, use)
  const url = (width: number | undefined, format?: BitmapFormat): string =>
    imageUrl(provider, source, {
      ...(width === undefined ? {} : { width }),
      ...(format ? { format } : {}),
      ...(use.preset ? { preset: use.preset } : {}),
      version,
    })
  // What `w` says must be what the file has: none is made larger than its source.
  const srcSet = (format: BitmapFormat): string =>
    offered.map((width) => `${url(width, format)} ${Math.min(width, picture.width)}w`).join(', ')
  return {
    sources: images.formats.map((format) => ({ type: `image/${format}`, srcSet: srcSet(format) })),
    src: url(offered[Math.floor((offered.length - 1) / 2)]),
  }
}
