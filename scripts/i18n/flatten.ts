/** Nested texts as `a.b.c` to text; lists by their index. */
export type Flat = Readonly<Record<string, string>>

export function flatten(value: unknown, prefix = ''): Flat {
  if (typeof value === 'string') return { [prefix]: value }
  if (value === null || typeof value !== 'object') return {}
  return Object.assign(
    {},
    ...Object.entries(value).map(([key, inner]) =>
      flatten(inner, prefix === '' ? key : `${prefix}.${key}`),
    ),
  ) as Flat
}
