/** Texts by their path: `a.b.c`; list items by index. */
export type FlatTexts = Readonly<Record<string, string>>

/** Flattens nested texts. Values that are not texts are left out. */
export function flatten(value: unknown, prefix = ''): FlatTexts {
  if (typeof value === 'string') return { [prefix]: value }
  if (value === null || typeof value !== 'object') return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      Object.entries(flatten(inner, prefix === '' ? key : `${prefix}.${key}`)),
    ),
  )
}
