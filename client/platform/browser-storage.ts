/** The browser's local storage; null where it is forbidden, which even asking for it tells by an exception. */
export function browserStorage(): Storage | null {
  try {
    return window.localStorage
  } catch {
    return null
  }
}
