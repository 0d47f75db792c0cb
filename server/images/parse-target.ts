import { z } from 'zod'
import { images } from '../../shared/constants'
import {
  isPreset,
  allowedQualities,
  allowedWidths,
  presets,
  maxPictureWidth,
  type BitmapFormat,
} from '../../shared/images'
import { SiteError } from '../errors'

/** How an image is requested. */
export type VariantRequest = {
  /** In pixels, with the density multiplied in; null = the width of the source. */
  width: number | null
  /** `source` keeps the source's format; `auto` depends on the `Accept` header. */
  format: 'source' | 'auto' | BitmapFormat
  quality: number
  /** Version of the content that the URL names, or null. */
  version: string | null
}
type SourceLocation = { kind: 'public' | 'content'; path: string } | { kind: 'remote'; url: URL }
export type ImageTarget = { variant: VariantRequest; source: SourceLocation }

const numberIn = (values: readonly number[], message: string) =>
  z
    .string()
    .regex(/^[1-9]\d*$/, message)
    .transform(Number)
    .refine((value) => values.includes(value), message)
const modifiersSchema = z.strictObject({
  w: numberIn(allowedWidths, 'the width is not in the list').optional(),
  f: z
    .enum(['auto', 'avif', 'webp', 'png', 'jpeg', 'gif'], 'the format is not in the list')
    .optional(),
  q: numberIn(allowedQualities, 'the quality is not in the list').optional(),
  dpr: numberIn(images.densities, 'the density is not in the list').optional(),
  v: z
    .string()
    .regex(/^[0-9a-f]{12}$/, 'the version is not valid')
    .optional(),
  preset: z.string().refine(isPreset, 'unknown preset').optional(),
})

/** Percent-decodes once. Throws 400 for invalid UTF-8 and for control characters. */
function decodeOnce(text: string): string {
  try {
    const decoded = decodeURIComponent(text)
    if (!/\p{Cc}/u.test(decoded)) return decoded
  } catch {
    // Invalid UTF-8 is refused below.
  }
  throw new SiteError('badPath')
}

/**
 * Splits `w_640,photo` into fields. A name without `_` is a preset. A repeated field is refused,
 * because each variant should have few URLs.
 */
function splitModifiers(text: string): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const part of text === '_' ? [] : text.split(',')) {
    const separator = part.indexOf('_')
    const [name, value] =
      separator > 0 ? [part.slice(0, separator), part.slice(separator + 1)] : ['preset', part]
    if (Object.hasOwn(fields, name)) throw new SiteError('badImage', 'a modifier is repeated')
    fields[name] = value
  }
  return fields
}

function parseModifiers(text: string): VariantRequest {
  const parsed = modifiersSchema.safeParse(splitModifiers(text))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new SiteError(
      'badImage',
      issue?.code === 'unrecognized_keys' ? 'unknown modifier' : issue?.message,
    )
  }
  const { w, f, q, dpr = 1, v = null, preset } = parsed.data
  const defaults: { quality?: number; width?: number; format?: 'auto' | BitmapFormat } =
    preset && isPreset(preset) ? presets[preset] : {}
  const width = w ?? defaults.width
  return {
    width: width === undefined ? null : Math.min(width * dpr, maxPictureWidth),
    format: f ?? defaults.format ?? 'source',
    quality: q ?? defaults.quality ?? images.quality,
    version: v,
  }
}

function parseSource(text: string): SourceLocation {
  const path = decodeOnce(text)
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(path)?.[1]?.toLowerCase()
  if (scheme !== undefined) {
    if (scheme !== 'http' && scheme !== 'https') throw new SiteError('badImage', 'unknown provider')
    if (!URL.canParse(path))
      throw new SiteError('badImage', 'the address of the picture is not valid')
    return { kind: 'remote', url: new URL(path) }
  }
  const segments = path.split('/')
  if (
    segments.some((segment) => segment === '' || segment.startsWith('.') || segment.includes('\\'))
  )
    throw new SiteError('badImage', 'the path of the picture is not valid')
  return segments[0] === 'content'
    ? { kind: 'content', path: segments.slice(1).join('/') }
    : { kind: 'public', path }
}

/**
 * Parses `/{modifiers}/{path or encoded URL}`: the part of the request path below `/_image`, not
 * yet decoded. Throws a SiteError with status 400.
 */
export function parseTarget(target: string): ImageTarget {
  const [, modifiers, source] = /^\/([^/]+)\/(.+)$/.exec(target) ?? []
  if (!modifiers || !source) throw new SiteError('badImage')
  return { variant: parseModifiers(decodeOnce(modifiers)), source: parseSource(source) }
}
