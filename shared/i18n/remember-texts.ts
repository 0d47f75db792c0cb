import type { i18n as I18n, TFunction } from 'i18next'

/** Remembered texts of one namespace (those with values filled in are many), and the longest key of one, in characters. */
const maxTexts = 4096
const maxKeyLength = 160

const isPlain = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** The cache key of a call of `t`. Null for a call that is not cached: several keys, values other than strings, numbers and booleans, or too long. */
function keyOf(key: unknown, rest: readonly unknown[]): string | null {
  if (typeof key !== 'string' || rest.length > 1) return null
  const [values] = rest
  if (values === undefined) return key
  if (typeof values !== 'object' || values === null || !Object.values(values).every(isPlain))
    return null
  const whole = `${key}\n${JSON.stringify(values)}`
  return whole.length > maxKeyLength ? null : whole
}

/** Lists and groups of texts are given to many pages, so a page must not be able to change them. */
function freezeDeep<T>(value: T): T {
  if (typeof value === 'object' && value !== null)
    for (const part of Object.values(Object.freeze(value))) freezeDeep(part)
  return value
}

function remembering(t: TFunction): TFunction {
  // The type of `t` ties keys to namespaces, which does not matter here.
  const translate = t as unknown as (...given: unknown[]) => unknown
  const finished = new Map<string, unknown>()
  const remembered = (key: unknown, ...rest: unknown[]): unknown => {
    const wanted = keyOf(key, rest)
    const known = wanted === null ? undefined : finished.get(wanted)
    if (known !== undefined) return known
    const text = translate(key, ...rest)
    if (wanted === null) return text
    if (finished.size >= maxTexts) finished.clear()
    finished.set(wanted, freezeDeep(text))
    return text
  }
  return remembered as unknown as TFunction
}

/**
 * Lets an instance remember its finished texts by key and values: i18next looks up, interpolates and post-processes each text anew on every render.
 * For an instance whose language and texts never change. Any call of `getFixedT` other than for one namespace of that language gets i18next's own function.
 */
export function rememberTexts(instance: I18n): void {
  const original = instance.getFixedT.bind(instance)
  const known = new Map<string, TFunction>()
  const getFixedT = (...given: Parameters<I18n['getFixedT']>): TFunction => {
    const [language, namespace, keyPrefix] = given as readonly unknown[]
    const isOwn = language === null || language === undefined || language === instance.language
    if (!isOwn || typeof namespace !== 'string' || keyPrefix !== undefined)
      return original(...given) as unknown as TFunction
    let t = known.get(namespace)
    if (!t) known.set(namespace, (t = remembering(original(...given) as unknown as TFunction)))
    return t
  }
  instance.getFixedT = getFixedT as typeof instance.getFixedT
}
