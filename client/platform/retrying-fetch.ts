import { fetchRetryStatuses } from '../../shared/constants'

type Fetch = typeof globalThis.fetch

/**
 * A fetch that repeats a request once: when no answer came, and on the statuses of
 * `fetchRetryStatuses`. Requests that write are not repeated, and neither are aborted ones.
 */
export function createRetryingFetch(fetch: Fetch): Fetch {
  return async (input, init) => {
    // Only GET, the default, is safe to repeat; the client sends no HEAD.
    if (init?.method !== undefined) return fetch(input, init)
    try {
      const response = await fetch(input, init)
      if (!fetchRetryStatuses.includes(response.status)) return response
    } catch (error) {
      if (init?.signal?.aborted) throw error
    }
    return fetch(input, init)
  }
}

/** The fetch of the page. */
export const pageFetch = createRetryingFetch((...request) => window.fetch(...request))
