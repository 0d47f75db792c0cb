import { isTaken, singleKeysOn, withoutModifiers } from '../platform/single-keys'

type Options = { page: Document; storage: Pick<Storage, 'getItem'> | null; open: () => void }

/** Opens the search with Ctrl or Cmd K, and with `/` outside of fields. */
export function startSearchKeys({ page, storage, open }: Options): () => void {
  const onKey = (event: KeyboardEvent): void => {
    const chord =
      event.key.toLowerCase() === 'k' &&
      (event.ctrlKey || event.metaKey) &&
      !event.altKey &&
      !event.shiftKey
    const slash =
      event.key === '/' && withoutModifiers(event) && !isTaken(event) && singleKeysOn(storage)
    if (event.defaultPrevented || (!chord && !slash)) return
    event.preventDefault()
    open()
  }
  page.addEventListener('keydown', onKey)
  return () => page.removeEventListener('keydown', onKey)
}
