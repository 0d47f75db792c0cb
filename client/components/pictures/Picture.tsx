import { preload } from 'react-dom'
import {
  pictureSources,
  type Picture as PictureFacts,
  type PictureUse,
} from '../../../shared/images'

type PictureProps = PictureUse & {
  picture: PictureFacts
  /** Empty for a decorative picture. */
  alt: string
  /** The `sizes` attribute of the sources. */
  sizes: string
  /** For the largest element of the first screen: loaded at once and with high priority. */
  priority?: boolean
  className?: string | undefined
}

/**
 * A picture in AVIF and WebP at densities 1 and 2, with reserved space. It is loaded lazily unless
 * `priority`, which also preloads it from the start of the page.
 */
export function Picture({
  picture,
  alt,
  sizes,
  widths,
  preset,
  priority = false,
  className,
}: PictureProps) {
  const { sources, src } = pictureSources(picture, { widths, preset })
  const [best] = sources
  if (priority) {
    if (best)
      preload(src, {
        as: 'image',
        imageSrcSet: best.srcSet,
        imageSizes: sizes,
        type: best.type,
        fetchPriority: 'high',
      })
    else preload(src, { as: 'image', fetchPriority: 'high' })
  }
  return (
    // The key makes a new element for a new picture: `data-state` of the old one does not apply to
    // it.
    <picture key={src} className={className ? `picture ${className}` : 'picture'}>
      {sources.map(({ type, srcSet }) => (
        <source key={type} type={type} srcSet={srcSet} sizes={sizes} />
      ))}
      {/* `picture-states.ts` can set `data-state` before hydration. */}
      <img
        suppressHydrationWarning
        src={src}
        alt={alt}
        width={picture.width}
        height={picture.height}
        decoding="async"
        {...(priority ? { fetchPriority: 'high' } : { loading: 'lazy' })}
      />
    </picture>
  )
}
