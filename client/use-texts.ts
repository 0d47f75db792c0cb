import type { TFunction } from 'i18next'
import { useContext } from 'react'
import { I18nContext } from 'react-i18next'
import type { Namespace } from '../shared/i18n/namespaces'

/**
 * The texts of a namespace. `useTranslation` does the same with some ten hooks, because language
 * and texts might change; those of an instance never do (`shared/i18n/translate.ts`).
 */
export function useTexts<N extends Namespace>(namespace: N): TFunction<N> {
  const context = useContext(I18nContext)
  if (!context) throw new Error('a component was rendered outside of <I18nextProvider>')
  return context.i18n.getFixedT(null, namespace)
}
