import type { Texts } from '../../shared/view'

const isGroup = (value: unknown): value is Texts =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Texts of a language over those of its fallback, key by key. */
export function mergeTexts(fallback: Texts, texts: Texts): Texts {
  const merged: Record<string, unknown> = { ...fallback }
  for (const [key, value] of Object.entries(texts)) {
    const base = merged[key]
    merged[key] = isGroup(base) && isGroup(value) ? mergeTexts(base, value) : value
  }
  return merged
}
