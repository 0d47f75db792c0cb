/** Values of the cookie `consent`: whether the visitor allows analytics (spec 7.8). */
export const consentValues = { accepted: 'accepted', refused: 'refused' } as const
export type Consent = keyof typeof consentValues

/**
 * Whether a visitor is asked before anything is measured (spec 7.8). A visitor whose country is
 * unknown, an empty text, is asked where any country needs consent.
 */
export const needsConsent = (country: string, countries: readonly string[]): boolean =>
  countries.length > 0 && (country === '' || countries.includes(country))

/** The consent in a cookie's value; null where it is unknown. */
export const readConsent = (value: unknown): Consent | null =>
  value === consentValues.accepted || value === consentValues.refused ? value : null
