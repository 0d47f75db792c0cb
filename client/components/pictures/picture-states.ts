/**
 * What becomes of the page's pictures. One listener for all of them, because pictures of articles are no components,
 * and because one that fails before the page is alive would be missed by a handler of its own.
 */
export type PictureStatesDeps = {
  document: Document
  /** Shown instead of a picture that does not load. */ placeholder: string
}

const isPicture = (target: EventTarget | null): target is HTMLImageElement =>
  target instanceof HTMLImageElement && target.parentElement?.classList.contains('picture') === true

/** Marks pictures as loaded; puts the placeholder where one fails, once: a placeholder that fails is left alone. Returns what stops it. */
export function startPictureStates({ document, placeholder }: PictureStatesDeps): () => void {
  const settle = (image: HTMLImageElement, state: 'loaded' | 'failed'): void => {
    if (image.dataset['state'] === 'failed') return
    image.dataset['state'] = state
    if (state === 'loaded') return
    for (const source of image.parentElement?.querySelectorAll('source') ?? [])
      source.removeAttribute('srcset')
    image.removeAttribute('srcset')
    image.src = placeholder
  }
  const onLoad = ({ target }: Event): void => void (isPicture(target) && settle(target, 'loaded'))
  const onError = ({ target }: Event): void => void (isPicture(target) && settle(target, 'failed'))
  // Neither event bubbles, but both are seen on their way down.
  document.addEventListener('load', onLoad, true)
  document.addEventListener('error', onError, true)
  for (const image of document.querySelectorAll<HTMLImageElement>('.picture > img')) {
    if (image.complete && image.currentSrc !== '')
      settle(image, image.naturalWidth > 0 ? 'loaded' : 'failed')
  }
  return () => {
    document.removeEventListener('load', onLoad, true)
    document.removeEventListener('error', onError, true)
  }
}
