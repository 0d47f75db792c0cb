/** The visitor's stored answer to "may we measure?": the value of the cookie `consent`. */
export const consentValues = { accepted: 'accepted', refused: 'refused' } as const
export type Consent = keyof typeof consentValues

/** What a cookie's value says; anything unknown counts as no answer. */
export const readConsent = (value: unknown): Consent | null =>
  value === consentValues.accepted || value === consentValues.refused ? value : null
