import { images } from '../../shared/constants'
import type { SourceFormat } from '../../shared/images'
import { SiteError } from '../errors'
import type { VariantRequest } from './parse-target'

/**
 * Whether an `Accept` header names a media type. Wildcards do not count: a browser that sends
 * `image/*` may still be unable to show AVIF or WebP.
 */
function acceptsType(accept: string, type: string): boolean {
  return accept.split(',').some((entry) => {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    return name === type && !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter))
  })
}

/**
 * The format to answer with. `source` keeps the source's format; `auto` is the first of avif and
 * webp that `Accept` names, else the source's format; any other value must be avif, webp or the
 * source's format. Throws 400 otherwise.
 */
export function chooseFormat(
  requested: VariantRequest['format'],
  sourceFormat: SourceFormat,
  accept: string,
): SourceFormat {
  if (requested === 'source') return sourceFormat
  if (requested === 'auto')
    return images.formats.find((format) => acceptsType(accept, `image/${format}`)) ?? sourceFormat
  const offered: readonly string[] = [...images.formats, sourceFormat]
  if (!offered.includes(requested)) throw new SiteError('badImage', 'the format is not in the list')
  return requested
}
