import type { LocaleCode } from '../../shared/i18n/locales'

/**
 * Props of an island's component. There is no page scope: only its data, the language and the
 * brand.
 */
export type IslandProps<D> = { data: D; locale: LocaleCode; brand: string }
