import { createApiClient, type FailureReport } from './api-client'

/** Dispatched on `window` for analytics; `detail` is a `FailureReport`. */
export const requestFailedEvent = 'request-failed'
export const reportRequestFailure = (detail: FailureReport): void =>
  void window.dispatchEvent(new CustomEvent(requestFailedEvent, { detail }))

/** The API client of the page. Failures are reported to analytics. */
export const pageApi = createApiClient({
  fetch: (...request) => window.fetch(...request),
  // The server imports components that use this client, and has no `window`.
  base: typeof window === 'undefined' ? 'http://site.invalid' : window.location.href,
  credentials: 'same-origin',
  report: reportRequestFailure,
})
