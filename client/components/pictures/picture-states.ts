type PictureStatesDeps = {
  document: Document
  /** URL of the picture that replaces one that cannot be loaded. */
  placeholderUrl: string
}

const isPicture = (target: EventTarget | null): target is HTMLImageElement =>
  target instanceof HTMLImageElement && target.parentElement?.classList.contains('picture') === true

/**
 * Marks the page's pictures as loaded or failed, and replaces failed ones by the placeholder. There
 * is one listener for all of them, because pictures in articles are not components and because a
 * picture can fail before hydration. Returns a function to stop.
 */
export function startPictureStates({ document, placeholderUrl }: PictureStatesDeps): () => void {
  const setState = (image: HTMLImageElement, state: 'loaded' | 'failed'): void => {
    // The placeholder itself has failed or loaded.
    if (image.dataset['state'] === 'failed') return
    image.dataset['state'] = state
    if (state === 'loaded') return
    for (const source of image.parentElement?.querySelectorAll('source') ?? [])
      source.removeAttribute('srcset')
    image.removeAttribute('srcset')
    image.src = placeholderUrl
  }
  const onLoad = ({ target }: Event): void => void (isPicture(target) && setState(target, 'loaded'))
  const onError = ({ target }: Event): void =>
    void (isPicture(target) && setState(target, 'failed'))
  // Neither event bubbles, so the listeners run in the capture phase.
  document.addEventListener('load', onLoad, true)
  document.addEventListener('error', onError, true)
  for (const image of document.querySelectorAll<HTMLImageElement>('.picture > img')) {
    if (image.complete && image.currentSrc !== '')
      setState(image, image.naturalWidth > 0 ? 'loaded' : 'failed')
  }
  return () => {
    document.removeEventListener('load', onLoad, true)
    document.removeEventListener('error', onError, true)
  }
}
