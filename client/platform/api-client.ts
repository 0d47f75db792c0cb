import { fetchRetryStatuses } from '../../shared/constants'

/** Where a request went wrong (spec section 8): before an answer, in the answer, or in what it holds. */
export type FailureTrigger = 'req error' | 'res error' | 'useFetch error'
export type FailureReport = { trigger: FailureTrigger; path: string; message: string }

/** A call that failed; `status` is 0 when no answer came. */
export class ApiFailure extends Error {
  constructor(
    readonly trigger: FailureTrigger,
    readonly status: number,
    message: string,
    readonly retryAfter: number | null = null,
  ) {
    super(message)
  }
}

export type ApiClient = {
  get: (path: string, parameters?: Readonly<Record<string, string>>) => Promise<unknown>
  postForm: (
    path: string,
    fields: Readonly<Record<string, string>>,
    options?: { keepalive?: boolean },
  ) => Promise<unknown>
  postJson: (path: string, body: unknown) => Promise<unknown>
}

type Deps = {
  fetch: typeof globalThis.fetch
  /** Address of the page: what paths are resolved against. */ base: string
  credentials: RequestCredentials
  report: (failure: FailureReport) => void
}

/**
 * The one way in which visitor modules speak to the API. A non-zero code or a missing body is a failure (spec section 7); GET
 * is tried once more on the eight statuses and when no answer came. Rejects with an ApiFailure, never with anything else.
 */
export function createApiClient({ fetch, base, credentials, report }: Deps): ApiClient {
  async function once(url: URL, init: RequestInit): Promise<Response> {
    try {
      return await fetch(url, { credentials, ...init })
    } catch (error) {
      throw new ApiFailure('req error', 0, String(error))
    }
  }

  async function answerOf(response: Response): Promise<unknown> {
    const retryAfter = Number(response.headers.get('Retry-After')) || null
    const body: unknown = await response.json().catch(() => null)
    if (body === null || typeof body !== 'object')
      throw new ApiFailure('useFetch error', response.status, 'no body', retryAfter)
    const { code, msg, data } = body as { code?: unknown; msg?: unknown; data?: unknown }
    if (!response.ok || code !== 0)
      throw new ApiFailure(
        'res error',
        response.status,
        `code ${String(code)}: ${String(msg)}`,
        retryAfter,
      )
    return data
  }

  async function call(
    path: string,
    init: RequestInit,
    parameters: Readonly<Record<string, string>> = {},
  ): Promise<unknown> {
    const url = new URL(path, base)
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    try {
      if (!/^https?:$/.test(url.protocol))
        throw new ApiFailure('req error', 0, `not an http or https address: ${url.protocol}`)
      const idempotent = init.method === undefined
      let response = await once(url, init).catch((error: unknown) =>
        idempotent ? once(url, init) : Promise.reject(error),
      )
      if (idempotent && fetchRetryStatuses.includes(response.status))
        response = await once(url, init)
      return await answerOf(response)
    } catch (error) {
      const failure =
        error instanceof ApiFailure ? error : new ApiFailure('useFetch error', 0, String(error))
      // Of the address only the path: parameters may name a person.
      report({ trigger: failure.trigger, path: url.pathname, message: failure.message })
      throw failure
    }
  }

  return {
    get: (path, parameters) => call(path, {}, parameters),
    postForm: (path, fields, options) =>
      call(path, { method: 'POST', body: new URLSearchParams(fields), ...options }),
    postJson: (path, body) =>
      call(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
  }
}
