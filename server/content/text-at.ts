import type { Texts } from '../../shared/view'

export const isTextGroup = (value: unknown): value is Texts =>
  typeof value === 'object' && value !== null

/** The text at a path of keys; empty when the path leads to no text. */
export function textAt(texts: Texts, ...path: readonly string[]): string {
  const found = path.reduce<unknown>(
    (value, key) => (isTextGroup(value) ? value[key] : undefined),
    texts,
  )
  return typeof found === 'string' ? found : ''
}
