import type { Texts } from '../../../shared/view'

/** Texts of a language over those that it falls back to, key by key. */
export function mergeTexts(base: Texts, over: Texts): Texts {
  const result: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const below = result[key]
    const both =
      value &&
      below &&
      typeof value === 'object' &&
      typeof below === 'object' &&
      !Array.isArray(value)
    result[key] = both ? mergeTexts(below as Texts, value as Texts) : value
  }
  return result
}
