import { createApiClient } from './api-client'

/** The API as the interface's own parts use it; what fails is told to whoever measures. */
export const pageApi = createApiClient({
  fetch: (...request) => window.fetch(...request),
  base: typeof window === 'undefined' ? 'http://site.invalid' : window.location.href,
  credentials: 'same-origin',
  report: (failure) => window.dispatchEvent(new CustomEvent('request-failed', { detail: failure })),
})
