/**
 * The catalogue of errors (decisions 6 and 10): one row each, with the status, the number in JSON answers and the
 * message that visitors may see. Nothing else of an error ever leaves the process.
 */
export const catalogue = {
  badRequest: { status: 400, code: 40000, message: 'Bad request' },
  badPath: { status: 400, code: 40001, message: 'The address is not valid' },
  badEnvelope: { status: 400, code: 40003, message: 'The message could not be read' },
  badHost: { status: 400, code: 40002, message: 'The host is not valid' },
  badImage: { status: 400, code: 40010, message: 'The picture asked for is not in the list' },
  unauthorized: { status: 401, code: 40100, message: 'Not signed in' },
  forbidden: { status: 403, code: 40300, message: 'Not allowed' },
  imageHostRefused: { status: 403, code: 40310, message: 'Pictures are not fetched from there' },
  notFound: { status: 404, code: 404, message: 'Not found' },
  methodNotAllowed: { status: 405, code: 40500, message: 'Method not allowed' },
  requestTimeout: { status: 408, code: 40800, message: 'The request took too long' },
  bodyTooLarge: { status: 413, code: 41300, message: 'The body is too large' },
  imageTooLarge: { status: 413, code: 41310, message: 'The picture is too large' },
  targetTooLong: { status: 414, code: 41400, message: 'The address is too long' },
  unsupportedType: { status: 415, code: 41500, message: 'This kind of content is not accepted' },
  notAnImage: { status: 415, code: 41510, message: 'That is no picture that can be shown' },
  tooManyRequests: { status: 429, code: 42900, message: 'Too many requests; please wait a moment' },
  headersTooLarge: { status: 431, code: 43100, message: 'The headers are too large' },
  internal: { status: 500, code: 50000, message: 'Something went wrong' },
  renderFailed: { status: 502, code: 50200, message: 'The page could not be made' },
  upstreamFailed: {
    status: 502,
    code: 50201,
    message: 'The service behind this site did not answer properly',
  },
  imageUnavailable: { status: 502, code: 50210, message: 'The picture could not be fetched' },
  storeUnavailable: {
    status: 503,
    code: 50301,
    message: 'This could not be saved just now; please try again',
  },
  unavailable: { status: 503, code: 50302, message: 'This service is not available just now' },
  upstreamTimeout: {
    status: 504,
    code: 50400,
    message: 'The service behind this site did not answer in time',
  },
  searchBusy: { status: 503, code: 50303, message: 'The search is busy; try again in a moment' },
  busy: { status: 503, code: 50304, message: 'Too much to do at the moment' },
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
  constructor(
    readonly error: ErrorName,
    detail?: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail ?? catalogue[error].message)
    this.status = catalogue[error].status
    this.code = catalogue[error].code
  }
}

/** Every JSON answer but payloads has this shape (decisions 6). */
export type Envelope<T> =
  { code: 0; msg: 'ok'; data: T } | { code: number; msg: string; data: null }
export const success = <T>(data: T): Envelope<T> => ({ code: 0, msg: 'ok', data })
export const failure = (error: SiteError): Envelope<never> => ({
  code: error.code,
  msg: error.message,
  data: null,
})

/** A failure that the operator can fix. Commands print its message in one line, without a stack. */
export class OperatorError extends Error {}
