import {
  isHandledByFocusedElement,
  areSingleKeysEnabled,
  hasNoModifiers,
} from '../../platform/single-key-shortcuts'

type Options = { document: Document; storage: Pick<Storage, 'getItem'> | null }

/** By the key's position, so that N and P also work on Cyrillic and Thai keyboards. */
const linkSelectors: Readonly<Record<string, string>> = {
  KeyN: 'a[rel="next"]',
  KeyP: 'a[rel="prev"]',
}

/** Opens the next and the previous page of the documentation on N and P. */
export function startPageKeys({ document, storage }: Options): () => void {
  const onKeyDown = (event: KeyboardEvent): void => {
    const selector = linkSelectors[event.code]
    if (
      !selector ||
      event.shiftKey ||
      event.repeat ||
      !hasNoModifiers(event) ||
      isHandledByFocusedElement(event) ||
      !areSingleKeysEnabled(storage)
    )
      return
    document.querySelector<HTMLAnchorElement>(`main ${selector}`)?.click()
  }
  document.addEventListener('keydown', onKeyDown)
  return () => document.removeEventListener('keydown', onKeyDown)
}
