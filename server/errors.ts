/**
 * The error catalogue (spec 10.3): the status of each error, its code in JSON answers, and its
 * public message. Nothing else of an error leaves the process.
 */
export const catalogue = {
  badRequest: { status: 400, code: 40000, message: 'Bad request' },
  badPath: { status: 400, code: 40001, message: 'The URL is not valid' },
  badEnvelope: { status: 400, code: 40003, message: 'The message could not be read' },
  badHost: { status: 400, code: 40002, message: 'The host is not valid' },
  badImage: {
    status: 400,
    code: 40010,
    message: 'This image size, format or preset is not available',
  },
  unauthorized: { status: 401, code: 40100, message: 'Not signed in' },
  forbidden: { status: 403, code: 40300, message: 'Not allowed' },
  imageHostRefused: { status: 403, code: 40310, message: 'Images from this host are not allowed' },
  notFound: { status: 404, code: 404, message: 'Not found' },
  methodNotAllowed: { status: 405, code: 40500, message: 'Method not allowed' },
  requestTimeout: { status: 408, code: 40800, message: 'The request took too long' },
  bodyTooLarge: { status: 413, code: 41300, message: 'The body is too large' },
  imageTooLarge: { status: 413, code: 41310, message: 'The image is too large' },
  targetTooLong: { status: 414, code: 41400, message: 'The URL is too long' },
  badRange: { status: 416, code: 41600, message: 'The file has no such part' },
  unsupportedType: { status: 415, code: 41500, message: 'This content type is not supported' },
  notAnImage: { status: 415, code: 41510, message: 'The file is not a supported image' },
  expectationFailed: { status: 417, code: 41700, message: 'This expectation is not supported' },
  tooManyRequests: {
    status: 429,
    code: 42900,
    message: 'Too many requests. Please wait a moment.',
  },
  headersTooLarge: { status: 431, code: 43100, message: 'The headers are too large' },
  internal: { status: 500, code: 50000, message: 'Something went wrong' },
  renderFailed: { status: 502, code: 50200, message: 'The page could not be rendered' },
  upstreamFailed: {
    status: 502,
    code: 50201,
    message: 'The backend sent an invalid response',
  },
  imageUnavailable: { status: 502, code: 50210, message: 'The image could not be fetched' },
  storeUnavailable: {
    status: 503,
    code: 50301,
    message: 'This could not be saved. Please try again.',
  },
  unavailable: { status: 503, code: 50302, message: 'This service is not available at the moment' },
  upstreamTimeout: {
    status: 504,
    code: 50400,
    message: 'The backend did not respond in time',
  },
  searchBusy: {
    status: 503,
    code: 50303,
    message: 'The search is busy. Please try again in a moment.',
  },
  busy: { status: 503, code: 50304, message: 'The server is busy. Please try again in a moment.' },
  notReady: { status: 503, code: 50300, message: 'Not ready yet' },
  imagesBusy: {
    status: 503,
    code: 50310,
    message: 'Too many images are being processed. Please try again.',
  },
  imageTimedOut: { status: 504, code: 50410, message: 'The image did not arrive in time' },
} as const satisfies Record<string, { status: number; code: number; message: string }>

export type ErrorName = keyof typeof catalogue

/**
 * An expected failure. The last row of the pipeline answers it. `detail` replaces the public
 * message.
 */
export class SiteError extends Error {
  readonly name = 'SiteError'
  readonly status: number
  readonly code: number
  constructor(
    /** The name in the catalogue. Part of the log lines of errors. */
    readonly error: ErrorName,
    detail?: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail ?? catalogue[error].message)
    this.status = catalogue[error].status
    this.code = catalogue[error].code
  }
}

/** The shape of all JSON answers except payloads, islands and builds (spec 6.1). */
export type Envelope<T> =
  { code: 0; msg: 'ok'; data: T } | { code: number; msg: string; data: null }
export const success = <T>(data: T): Envelope<T> => ({ code: 0, msg: 'ok', data })
export const failure = (error: SiteError): Envelope<never> => ({
  code: error.code,
  msg: error.message,
  data: null,
})

/** A failure that the operator can fix. Commands print its message on one line, without a stack. */
export class OperatorError extends Error {}

/** The `code` of an error of Node, for example `ENOENT`; undefined when it has none. */
export const errorCode = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
