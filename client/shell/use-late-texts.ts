import { useEffect, useState } from 'react'
import type { LocaleCode } from '../../shared/i18n/locales'
import type { lateNamespaces } from '../../shared/i18n/namespaces'
import { fetchTexts } from '../platform/fetch-texts'

/** The texts of a namespace that no page carries, typed by the caller from its English file; null until they are there. */
export function useLateTexts<T>(
  locale: LocaleCode,
  name: (typeof lateNamespaces)[number],
): T | null {
  const [texts, setTexts] = useState<T | null>(null)
  useEffect(() => {
    let gone = false
    fetchTexts(locale, name).then(
      (found) => gone || setTexts(found as T),
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [locale, name])
  return texts
}
