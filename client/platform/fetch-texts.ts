import type { LocaleCode } from '../../shared/i18n/locales'
import type { lateNamespaces } from '../../shared/i18n/namespaces'
import type { Texts } from '../../shared/view'
import { pageFetch } from './retrying-fetch'

const requested = new Map<string, Promise<Texts>>()

async function requestTexts(locale: LocaleCode, name: string): Promise<Texts> {
  const response = await pageFetch(`/api/site/texts?lang=${locale}&name=${name}`)
  // Cast: the answer of our own server.
  const { data } = (await response.json()) as { data: { texts: Texts } | null }
  if (!data) throw new Error(`no texts: ${name}`)
  return data.texts
}

/**
 * Texts of a part of the interface that pages do not include, fetched once per language. Rejects
 * when they cannot be fetched; the next call tries again.
 */
export function fetchTexts(
  locale: LocaleCode,
  name: (typeof lateNamespaces)[number],
): Promise<Texts> {
  const key = `${locale} ${name}`
  const texts = requested.get(key) ?? requestTexts(locale, name)
  requested.set(key, texts)
  texts.catch(() => requested.delete(key))
  return texts
}
