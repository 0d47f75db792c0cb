import { images } from '../../shared/constants'
import type { SourceFormat } from '../../shared/images'
import { SiteError } from '../errors'
import type { WantedVariant } from './parse-target'

/** Whether an `Accept` header names a type itself: a browser's `*` promises nothing about new formats. */
export function acceptsType(accept: string, type: string): boolean {
  return accept.split(',').some((entry) => {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    return name === type && !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter))
  })
}

/**
 * The format of an answer: the one named, which is avif, webp or the source's own; with `auto` the best that the
 * client's `Accept` names, else the source's own. Throws 400 for another format than these.
 */
export function chooseFormat(
  wanted: WantedVariant['format'],
  source: SourceFormat,
  accept: string,
): SourceFormat {
  if (wanted === 'own') return source
  if (wanted === 'auto')
    return images.formats.find((format) => acceptsType(accept, `image/${format}`)) ?? source
  const offered: readonly string[] = [...images.formats, source]
  if (!offered.includes(wanted)) throw new SiteError('badImage', 'the format is not in the list')
  return wanted
}
