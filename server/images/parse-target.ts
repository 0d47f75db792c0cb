import { z } from 'zod'
import { images } from '../../shared/constants'
import {
  isPreset,
  listedQualities,
  listedWidths,
  presets,
  widestPicture,
  type BitmapFormat,
} from '../../shared/images'
import { SiteError } from '../errors'

/** What is asked of a picture. `width` is in px with the density multiplied in; null: as wide as it is. */
export type WantedVariant = {
  width: number | null
  format: 'own' | 'auto' | BitmapFormat
  quality: number
  version: string | null
}
export type ImageSource =
  { kind: 'public' | 'content'; path: string } | { kind: 'remote'; url: URL }
export type ImageTarget = { variant: WantedVariant; source: ImageSource }

const listed = (values: readonly number[], what: string) =>
  z
    .string()
    .regex(/^[1-9]\d*$/, what)
    .transform(Number)
    .refine((value) => values.includes(value), what)
const schema = z.strictObject({
  w: listed(listedWidths, 'the width is not in the list').optional(),
  f: z
    .enum(['auto', 'avif', 'webp', 'png', 'jpeg', 'gif'], 'the format is not in the list')
    .optional(),
  q: listed(listedQualities, 'the quality is not in the list').optional(),
  dpr: listed(images.densities, 'the density is not in the list').optional(),
  v: z
    .string()
    .regex(/^[0-9a-f]{12}$/, 'the version is not valid')
    .optional(),
  preset: z.string().refine(isPreset, 'unknown preset').optional(),
})

/** Percent-decodes once; what is no UTF-8 or holds a control character is refused. */
function decodeOnce(text: string): string {
  try {
    const decoded = decodeURIComponent(text)
    if (!/\p{Cc}/u.test(decoded)) return decoded
  } catch {
    // No UTF-8: refused below.
  }
  throw new SiteError('badPath')
}

/** `w_640,photo` as fields. A name alone is a preset; the same field twice is refused, so that a variant has one spelling less. */
function fieldsOf(text: string): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const part of text === '_' ? [] : text.split(',')) {
    const at = part.indexOf('_')
    const [name, value] = at > 0 ? [part.slice(0, at), part.slice(at + 1)] : ['preset', part]
    if (Object.hasOwn(fields, name)) throw new SiteError('badImage', 'a modifier is given twice')
    fields[name] = value
  }
  return fields
}

function parseModifiers(text: string): WantedVariant {
  const parsed = schema.safeParse(fieldsOf(text))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new SiteError(
      'badImage',
      issue?.code === 'unrecognized_keys' ? 'unknown modifier' : issue?.message,
    )
  }
  const { w, f, q, dpr = 1, v = null, preset } = parsed.data
  const chosen: { quality?: number; width?: number; format?: 'auto' | BitmapFormat } =
    preset && isPreset(preset) ? presets[preset] : {}
  const width = w ?? chosen.width
  return {
    width: width === undefined ? null : Math.min(width * dpr, widestPicture),
    format: f ?? chosen.format ?? 'own',
    quality: q ?? chosen.quality ?? images.quality,
    version: v,
  }
}

function parseSource(text: string): ImageSource {
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

/** `/{modifiers}/{path or encoded URL}`, as it stands in the request below `/_image`, query excluded. Throws a SiteError with status 400. */
export function parseTarget(target: string): ImageTarget {
  const [, modifiers, source] = /^\/([^/]+)\/(.+)$/.exec(target) ?? []
  if (!modifiers || !source) throw new SiteError('badImage')
  return { variant: parseModifiers(decodeOnce(modifiers)), source: parseSource(source) }
}
