/** The fields of a parsed JSON value; empty when the value is not an object. */
export const toRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
