import { search } from '../../shared/constants'

type SearchStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null
const storageKey = 'recent_searches'

/** Queries whose results this visitor has opened, newest first. They stay in the browser. */
export function recentSearches(storage: SearchStorage): string[] {
  try {
    const stored: unknown = JSON.parse(storage?.getItem(storageKey) ?? '[]')
    return Array.isArray(stored)
      ? stored.filter((entry) => typeof entry === 'string').slice(0, search.maxRecentSearches)
      : []
  } catch {
    return []
  }
}

export function rememberSearch(query: string, storage: SearchStorage): void {
  const text = query.trim()
  if (text === '') return
  try {
    storage?.setItem(
      storageKey,
      JSON.stringify(
        [text, ...recentSearches(storage).filter((other) => other !== text)].slice(
          0,
          search.maxRecentSearches,
        ),
      ),
    )
  } catch {
    // Storage is full or blocked, so the query is not remembered.
  }
}

export function clearRecentSearches(storage: SearchStorage): void {
  try {
    storage?.removeItem(storageKey)
  } catch {
    // Storage is blocked, so there is nothing to clear.
  }
}
