import { isTaken, singleKeysOn, withoutModifiers } from '../../platform/single-keys'

type Options = { page: Document; storage: Pick<Storage, 'getItem'> | null }

/** By the key's place, so that N and P do on a Cyrillic or Thai keyboard what they do on a Latin one. */
const links: Readonly<Record<string, string>> = { KeyN: 'a[rel="next"]', KeyP: 'a[rel="prev"]' }

/** Turns to the next and the previous page of a documentation with N and P. */
export function startPageKeys({ page, storage }: Options): () => void {
  const onKey = (event: KeyboardEvent): void => {
    const selector = links[event.code]
    if (
      !selector ||
      event.shiftKey ||
      event.repeat ||
      !withoutModifiers(event) ||
      isTaken(event) ||
      !singleKeysOn(storage)
    )
      return
    page.querySelector<HTMLAnchorElement>(`main ${selector}`)?.click()
  }
  page.addEventListener('keydown', onKey)
  return () => page.removeEventListener('keydown', onKey)
}
