import { preload } from 'react-dom'
import {
  pictureSources,
  type Picture as PictureFacts,
  type PictureUse,
} from '../../../shared/images'

type PictureProps = PictureUse & {
  picture: PictureFacts
  /** What is seen, for those who do not see it; empty for mere decoration. */
  alt: string
  /** The `sizes` attribute: how wide it is shown. */
  sizes: string
  /** The largest thing of the first screen: fetched before everything else, never lazily. One a page. */
  priority?: boolean
  className?: string | undefined
}

/**
 * A picture in avif and webp, at densities 1 and 2, with its place kept free. Lazy unless `priority`, which also
 * announces it at the start of the page, before any style or script is read.
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
    // Another picture is another element: what became of one says nothing of the next.
    <picture key={src} className={className ? `picture ${className}` : 'picture'}>
      {sources.map(({ type, srcSet }) => (
        <source key={type} type={type} srcSet={srcSet} sizes={sizes} />
      ))}
      {/* What has come may say so before React does (`visitor/picture-states.ts`). */}
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
