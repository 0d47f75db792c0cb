import { randomUUID } from 'node:crypto'

/**
 * An id that a proxy may hand on. Anything else is replaced, so that no client can write into the
 * log.
 */
const acceptedId = /^[A-Za-z0-9-]{8,64}$/

/** The id of a request: its `X-Request-Id` header when that is acceptable, else a new UUID. */
export const chooseRequestId = (header: string | string[] | undefined): string =>
  typeof header === 'string' && acceptedId.test(header) ? header : randomUUID()
