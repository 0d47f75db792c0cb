import { allLocales } from '../../shared/i18n/locales'

/** The languages as choices of a filter. */
export const localeOptions: ReadonlyArray<{ value: string; text: string }> = [
  { value: '', text: 'All' },
  ...allLocales.map(({ code, name }) => ({ value: code, text: `${name} (${code})` })),
]
