import { search } from '../../shared/constants'

type Place = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null
const key = 'recent_searches'

/** What this visitor looked for and found, newest first. It stays in the browser. */
export function recentSearches(storage: Place): string[] {
  try {
    const stored: unknown = JSON.parse(storage?.getItem(key) ?? '[]')
    return Array.isArray(stored)
      ? stored.filter((entry) => typeof entry === 'string').slice(0, search.remembered)
      : []
  } catch {
    return []
  }
}

export function rememberSearch(query: string, storage: Place): void {
  const text = query.trim()
  if (text === '') return
  try {
    storage?.setItem(
      key,
      JSON.stringify(
        [text, ...recentSearches(storage).filter((other) => other !== text)].slice(
          0,
          search.remembered,
        ),
      ),
    )
  } catch {
    // A full or forbidden storage: nothing is remembered.
  }
}

export function forgetSearches(storage: Place): void {
  try {
    storage?.removeItem(key)
  } catch {
    // Nothing was remembered either.
  }
}
