import type { LocaleCode } from '../../shared/i18n/locales'
import type { lateNamespaces } from '../../shared/i18n/namespaces'
import type { Texts } from '../../shared/view'

const known = new Map<string, Promise<Texts>>()

async function load(locale: LocaleCode, name: string): Promise<Texts> {
  const response = await fetch(`/api/site/texts?lang=${locale}&name=${name}`)
  const { data } = (await response.json()) as { data: { texts: Texts } | null }
  if (!data) throw new Error(`no texts: ${name}`)
  return data.texts
}

/** Texts of a part of the interface that no page carries, fetched once a language. Rejects when they cannot be had; the next call tries again. */
export function fetchTexts(
  locale: LocaleCode,
  name: (typeof lateNamespaces)[number],
): Promise<Texts> {
  const key = `${locale} ${name}`
  const loading = known.get(key) ?? load(locale, name)
  known.set(key, loading)
  loading.catch(() => known.delete(key))
  return loading
}
