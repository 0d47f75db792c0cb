/** Keys without Ctrl or Alt (`/`, N, P): quick for those who know them, in the way of who speaks or types by other means, so they can be switched off (WCAG 2.1.4). */
const key = 'single_keys'

export function singleKeysOn(storage: Pick<Storage, 'getItem'> | null): boolean {
  try {
    return storage?.getItem(key) !== 'off'
  } catch {
    return true
  }
}

export function setSingleKeys(
  on: boolean,
  storage: Pick<Storage, 'setItem' | 'removeItem'> | null,
): void {
  try {
    if (on) storage?.removeItem(key)
    else storage?.setItem(key, 'off')
  } catch {
    // Storage is refused: the choice cannot be kept.
  }
}

/** Whether a key belongs to what has the focus: a field, a menu, an open dialog. */
export const isTaken = (event: KeyboardEvent): boolean =>
  event.defaultPrevented ||
  event.isComposing ||
  (event.target instanceof Element &&
    event.target.closest('input, textarea, select, [contenteditable], dialog[open]') !== null)

export const withoutModifiers = (event: KeyboardEvent): boolean =>
  !event.ctrlKey && !event.metaKey && !event.altKey
