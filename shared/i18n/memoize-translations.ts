import type { i18n as I18n, TFunction } from 'i18next'

/** Memoized texts of one namespace: texts with values filled in are many. */
const maxTexts = 4096
const maxKeyLength = 160

const isPrimitive = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** Cache key of a call of `t`; null for calls that are not memoized. */
function cacheKeyOf(key: unknown, rest: readonly unknown[]): string | null {
  if (typeof key !== 'string' || rest.length > 1) return null
  const [values] = rest
  if (values === undefined) return key
  if (typeof values !== 'object' || values === null || !Object.values(values).every(isPrimitive))
    return null
  const cacheKey = `${key}\n${JSON.stringify(values)}`
  return cacheKey.length > maxKeyLength ? null : cacheKey
}

/** Pages share lists and groups of texts, so a page must not be able to change them. */
function freezeDeep<T>(value: T): T {
  if (typeof value === 'object' && value !== null)
    for (const part of Object.values(Object.freeze(value))) freezeDeep(part)
  return value
}

function memoize(t: TFunction): TFunction {
  // The type of `t` ties keys to namespaces, which does not matter here.
  const translate = t as unknown as (...args: unknown[]) => unknown
  const cached = new Map<string, unknown>()
  const memoized = (key: unknown, ...rest: unknown[]): unknown => {
    const cacheKey = cacheKeyOf(key, rest)
    const known = cacheKey === null ? undefined : cached.get(cacheKey)
    if (known !== undefined) return known
    const text = translate(key, ...rest)
    if (cacheKey === null) return text
    if (cached.size >= maxTexts) cached.clear()
    cached.set(cacheKey, freezeDeep(text))
    return text
  }
  return memoized as unknown as TFunction
}

/**
 * Makes an i18next instance memoize its texts by key and values: without it, i18next looks up,
 * interpolates and post-processes every text again on every render. For an instance whose language
 * and texts never change. Calls of `getFixedT` for several namespaces, another language or a key
 * prefix are not memoized.
 */
export function memoizeTranslations(instance: I18n): void {
  const original = instance.getFixedT.bind(instance)
  const known = new Map<string, TFunction>()
  const getFixedT = (...args: Parameters<I18n['getFixedT']>): TFunction => {
    const [language, namespace, keyPrefix] = args as readonly unknown[]
    const isOwnLanguage =
      language === null || language === undefined || language === instance.language
    // The declared type is generic in language, namespace and prefix; these casts forget that.
    if (!isOwnLanguage || typeof namespace !== 'string' || keyPrefix !== undefined)
      return original(...args) as unknown as TFunction
    let t = known.get(namespace)
    if (!t) known.set(namespace, (t = memoize(original(...args) as unknown as TFunction)))
    return t
  }
  // The same forgetting of the generic type.
  instance.getFixedT = getFixedT as typeof instance.getFixedT
}
