/**
 * The catalogue of errors (decisions 6 and 10): one row each, with the status, the number in JSON answers and the
 * message that visitors may see. Nothing else of an error ever leaves the process.
 */
export const catalogue = {
  badRequest: { status: 400, code: 40000, message: 'Bad request' },
  badPath: { status: 400, code: 40001, message: 'The address is not valid' },
  badHost: { status: 400, code: 40002, message: 'The host is not valid' },
  notFound: { status: 404, code: 404, message: 'Not found' },
  methodNotAllowed: { status: 405, code: 40500, message: 'Method not allowed' },
  targetTooLong: { status: 414, code: 41400, message: 'The address is too long' },
  headersTooLarge: { status: 431, code: 43100, message: 'The headers are too large' },
  internal: { status: 500, code: 50000, message: 'Something went wrong' },
  renderFailed: { status: 502, code: 50200, message: 'The page could not be made' },
  searchBusy: { status: 503, code: 50301, message: 'The search is busy; try again in a moment' },
  busy: { status: 503, code: 50301, message: 'Too much to do at the moment' },
  notReady: { status: 503, code: 50300, message: 'Not ready yet' },
} as const satisfies Record<string, { status: number; code: number; message: string }>

export type ErrorName = keyof typeof catalogue

/** An expected failure: thrown anywhere, answered in one place. `detail` replaces the public message. */
export class SiteError extends Error {
  readonly name = 'SiteError'
  readonly status: number
  readonly code: number
  constructor(readonly error: ErrorName, detail?: string, readonly headers: Readonly<Record<string, string>> = {}) {
    super(detail ?? catalogue[error].message)
    this.status = catalogue[error].status
    this.code = catalogue[error].code
  }
}

/** Every JSON answer but payloads has this shape (decisions 6). */
export type Envelope<T> = { code: 0; msg: 'ok'; data: T } | { code: number; msg: string; data: null }
export const success = <T>(data: T): Envelope<T> => ({ code: 0, msg: 'ok', data })
export const failure = (error: SiteError): Envelope<never> => ({ code: error.code, msg: error.message, data: null })
