/**
 * The catalogue of errors (decisions 6 and 10): one row each, with the status, the number in JSON answers and the
 * message that visitors may see. Nothing else of an error ever leaves the process.
 */
export const catalogue = {
  badRequest: { status: 400, code: 40000, message: 'Bad request' },
  badPath: { status: 400, code: 40001, message: 'The address is not valid' },
  badHost: { status: 400, code: 40002, message: 'The host is not valid' },
  badImage: { status: 400, code: 40010, message: 'The picture asked for is not in the list' },
  imageHostRefused: { status: 403, code: 40310, message: 'Pictures are not fetched from there' },
  notFound: { status: 404, code: 404, message: 'Not found' },
  methodNotAllowed: { status: 405, code: 40500, message: 'Method not allowed' },
  imageTooLarge: { status: 413, code: 41310, message: 'The picture is too large' },
  targetTooLong: { status: 414, code: 41400, message: 'The address is too long' },
  notAnImage: { status: 415, code: 41510, message: 'That is no picture that can be shown' },
  headersTooLarge: { status: 431, code: 43100, message: 'The headers are too large' },
  internal: { status: 500, code: 50000, message: 'Something went wrong' },
  renderFailed: { status: 502, code: 50200, message: 'The page could not be made' },
  imageUnavailable: { status: 502, code: 50210, message: 'The picture could not be fetched' },
  notReady: { status: 503, code: 50300, message: 'Not ready yet' },
  imagesBusy: { status: 503, code: 50310, message: 'Too many pictures are being made, try again' },
  imageTimedOut: { status: 504, code: 50410, message: 'The picture did not arrive in time' },
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
