import type { LocaleCode } from '../../shared/i18n/locales'

/** What an island's component receives: its data, and of the site what it may show. There is no page around it. */
export type ShownIsland<D> = { data: D; locale: LocaleCode; brand: string }
