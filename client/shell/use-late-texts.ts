import { useEffect, useState } from 'react'
import type { LocaleCode } from '../../shared/i18n/locales'
import { lateNamespaces } from '../../shared/i18n/namespaces'

export type LateNamespace = (typeof lateNamespaces)[number]
type Answer = { data?: { texts?: unknown } | null }

const fetched = new Map<string, Promise<unknown>>()

/** Texts of a part that comes only when it is opened, asked for once; a failure is asked for again. */
export function fetchTexts(locale: LocaleCode, name: LateNamespace): Promise<unknown> {
  const key = `${locale} ${name}`
  const known = fetched.get(key)
  if (known) return known
  const asked = fetch(`/api/site/texts?lang=${locale}&name=${name}`).then(async (response) => {
    const { data } = (await response.json()) as Answer
    if (!data?.texts) throw new Error(`no texts: ${name}`)
    return data.texts
  })
  fetched.set(key, asked)
  asked.catch(() => fetched.delete(key))
  return asked
}

/** The texts of a namespace, typed by the caller from its English file; null until they are there. */
export function useLateTexts<T>(locale: LocaleCode, name: LateNamespace): T | null {
  const [texts, setTexts] = useState<T | null>(null)
  useEffect(() => {
    let gone = false
    fetchTexts(locale, name).then((found) => gone || setTexts(found as T), () => undefined)
    return () => {
      gone = true
    }
  }, [locale, name])
  return texts
}
