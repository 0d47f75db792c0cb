import {
  isHandledByFocusedElement,
  areSingleKeysEnabled,
  hasNoModifiers,
} from '../platform/single-key-shortcuts'

type Options = { document: Document; storage: Pick<Storage, 'getItem'> | null; open: () => void }

/** Opens the search on Ctrl+K or Cmd+K, and on `/` outside of text fields. */
export function startSearchKeys({ document, storage, open }: Options): () => void {
  const onKeyDown = (event: KeyboardEvent): void => {
    const isCtrlK =
      event.key.toLowerCase() === 'k' &&
      (event.ctrlKey || event.metaKey) &&
      !event.altKey &&
      !event.shiftKey
    const isSlash =
      event.key === '/' &&
      hasNoModifiers(event) &&
      !isHandledByFocusedElement(event) &&
      areSingleKeysEnabled(storage)
    if (event.defaultPrevented || (!isCtrlK && !isSlash)) return
    event.preventDefault()
    open()
  }
  document.addEventListener('keydown', onKeyDown)
  return () => document.removeEventListener('keydown', onKeyDown)
}
