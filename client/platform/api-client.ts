import { createRetryingFetch } from './retrying-fetch'
import { toRecord } from './to-record'

/**
 * Where a request failed (spec 10.3): before an answer (`req error`), with a failure code
 * (`res error`), or because the answer has no readable body (`useFetch error`).
 */
type FailureTrigger = 'req error' | 'res error' | 'useFetch error'
export type FailureReport = { trigger: FailureTrigger; path: string; message: string }

/** A call that failed. `status` is 0 when no answer came. */
export class ApiFailure extends Error {
  constructor(
    readonly trigger: FailureTrigger,
    readonly status: number,
    message: string,
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(message)
  }
}

export type ApiClient = {
  get: (path: string, parameters?: Readonly<Record<string, string>>) => Promise<unknown>
  postForm: (
    path: string,
    fields: Readonly<Record<string, string>>,
    options?: Pick<RequestInit, 'keepalive' | 'credentials'>,
  ) => Promise<unknown>
  postJson: (path: string, body: unknown) => Promise<unknown>
}

type Deps = {
  fetch: typeof globalThis.fetch
  /** Address that paths are resolved against. */
  base: string
  credentials: RequestCredentials
  report: (failure: FailureReport) => void
}

/**
 * Calls the API (spec 6.1). A non-zero code or a missing body is a failure. GET is repeated once
 * (`retrying-fetch.ts`). Rejects only with an ApiFailure.
 */
export function createApiClient({ fetch, base, credentials, report }: Deps): ApiClient {
  const retryingFetch = createRetryingFetch(fetch)

  async function send(url: URL, init: RequestInit): Promise<Response> {
    try {
      return await retryingFetch(url, { credentials, ...init })
    } catch (error) {
      throw new ApiFailure('req error', 0, String(error))
    }
  }

  async function readAnswer(response: Response): Promise<unknown> {
    const retryAfterSeconds = Number(response.headers.get('Retry-After')) || null
    const body: unknown = await response.json().catch(() => null)
    if (body === null || typeof body !== 'object')
      throw new ApiFailure('useFetch error', response.status, 'no body', retryAfterSeconds)
    const { code, msg, data } = toRecord(body)
    if (!response.ok || code !== 0)
      throw new ApiFailure(
        'res error',
        response.status,
        `code ${String(code)}: ${String(msg)}`,
        retryAfterSeconds,
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
      return await readAnswer(await send(url, init))
    } catch (error) {
      const failure =
        error instanceof ApiFailure ? error : new ApiFailure('useFetch error', 0, String(error))
      // Only the path is reported: the query may hold personal data.
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
