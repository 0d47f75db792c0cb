import { describe, expect, it } from '@jest/globals'
import {
  clearRecentSearches,
  recentSearches,
  rememberSearch,
} from '../../../client/search/recent-searches'

/** Browser storage in memory. */
function storage(entries: Record<string, string> = {}) {
  return {
    getItem: (key: string) => entries[key] ?? null,
    setItem: (key: string, value: string) => void (entries[key] = value),
    removeItem: (key: string) => void delete entries[key],
  }
}
const refuse = (): never => {
  throw new Error('SecurityError')
}

describe('recent searches', () => {
  it('are the newest queries, each once, until they are cleared', () => {
    const memory = storage()
    for (const query of [...'abcdefgh', ' f ', ' ']) rememberSearch(query, memory)
    expect(recentSearches(memory)).toEqual(['f', 'h', 'g', 'e', 'd'])
    clearRecentSearches(memory)
    expect(recentSearches(memory)).toEqual([])
  })

  it.each([
    ['text that is not JSON', '['],
    ['something other than a list', '{"0":"a"}'],
    ['entries that are not text', '[1,null]'],
  ])('are empty when the storage holds %s', (_name, stored) => {
    expect(recentSearches(storage({ recent_searches: stored }))).toEqual([])
  })

  it.each([
    ['refuses everything', { getItem: refuse, setItem: refuse, removeItem: refuse }],
    ['is missing', null],
  ])('are empty when the storage %s', (_name, broken) => {
    rememberSearch('a', broken)
    clearRecentSearches(broken)
    expect(recentSearches(broken)).toEqual([])
  })
})
