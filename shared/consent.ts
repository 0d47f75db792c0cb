/** Values of the cookie `consent`: whether the visitor allows analytics (spec 7.8). */
export const consentValues = { accepted: 'accepted', refused: 'refused' } as const
export type Consent = keyof typeof consentValues

/** The consent in a cookie's value; null where it is unknown. */
export const readConsent = (value: unknown): Consent | null =>
  value === consentValues.accepted || value === consentValues.refused ? value : null
