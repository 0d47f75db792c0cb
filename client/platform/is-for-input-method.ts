/** Part of `KeyboardEvent`, whose own type marks `keyCode` as deprecated. */
type Key = { isComposing: boolean; keyCode: number }

/** The `keyCode` of keys that an input method handles. */
const inputMethodKeyCode = 229

/**
 * Whether an input method handles the key, as when Escape dismisses a candidate or Enter accepts
 * one. In Safari the composition ends before this `keydown`, so `isComposing` is already false and
 * only `keyCode` marks the key (WebKit bug 165004).
 */
export const isForInputMethod = ({ isComposing, keyCode }: Key): boolean =>
  isComposing || keyCode === inputMethodKeyCode
