/**
 * Shortcuts of one key without Ctrl or Alt (`/`, N, P). Speech input and other assistive technology
 * can trigger them by accident, so the visitor can switch them off (WCAG 2.1.4, decision 44).
 */
const storageKey = 'single_keys'

export function areSingleKeysEnabled(storage: Pick<Storage, 'getItem'> | null): boolean {
  try {
    return storage?.getItem(storageKey) !== 'off'
  } catch {
    return true
  }
}

export function setSingleKeysEnabled(
  enabled: boolean,
  storage: Pick<Storage, 'setItem' | 'removeItem'> | null,
): void {
  try {
    if (enabled) storage?.removeItem(storageKey)
    else storage?.setItem(storageKey, 'off')
  } catch {
    // The browser refuses storage: the choice cannot be kept.
  }
}

/** Whether a key belongs to the element with the focus: a field, an open dialog. */
export const isHandledByFocusedElement = (event: KeyboardEvent): boolean =>
  event.defaultPrevented ||
  event.isComposing ||
  (event.target instanceof Element &&
    event.target.closest('input, textarea, select, [contenteditable], dialog[open]') !== null)

export const hasNoModifiers = (event: KeyboardEvent): boolean =>
  !event.ctrlKey && !event.metaKey && !event.altKey
