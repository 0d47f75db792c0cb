/** Where the browser forbids storage, reading the property of `window` throws. */
function orNull(read: () => Storage): Storage | null {
  try {
    return read()
  } catch {
    return null
  }
}

export const localStorageOrNull = (): Storage | null => orNull(() => window.localStorage)
export const sessionStorageOrNull = (): Storage | null => orNull(() => window.sessionStorage)
