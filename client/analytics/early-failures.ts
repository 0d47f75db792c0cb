import { preloadErrorEvent } from '../navigation/preload-error'
import type { requestFailedEvent } from '../platform/page-api'

/** Events on `window` that report a failure; the last two are dispatched by the site itself. */
export const failureEvents = [
  'error',
  'unhandledrejection',
  preloadErrorEvent,
  // Only the type is imported: the first script does not contain the client of the API.
  'request-failed' satisfies typeof requestFailedEvent,
] as const
type FailureEventType = (typeof failureEvents)[number]

/**
 * `address` of the element that failed, read at that time: a failed picture's address is replaced
 * by that of a placeholder.
 */
export type Failure = { type: FailureEventType; event: Event; address: string }
export type EarlyFailures = {
  /** Returns the failures so far and stops collecting: the caller listens from now on. */
  take: () => readonly Failure[]
}

/** Errors of resources do not bubble, so `window` sees them in the capture phase only. */
export const capturePhase = { capture: true } as const

/** The address that an element was to load. */
const resourceAddress = (target: EventTarget | null): string =>
  target instanceof Element
    ? (target instanceof HTMLImageElement && target.currentSrc) ||
      target.getAttribute('src') ||
      target.getAttribute('href') ||
      ''
    : ''

export const toFailure = (event: Event): Failure => ({
  // Cast: listeners are registered for `failureEvents` only.
  type: event.type as FailureEventType,
  event,
  address: resourceAddress(event.target),
})

/**
 * Collects failures from the first script of the page until analytics has loaded, which is last:
 * failures at the start matter most.
 */
export function collectEarlyFailures(
  window: Pick<Window, 'addEventListener' | 'removeEventListener'>,
  maxFailures: number,
): EarlyFailures {
  const failures: Failure[] = []
  const onFailure = (event: Event): void => {
    if (failures.length < maxFailures) failures.push(toFailure(event))
  }
  for (const name of failureEvents) window.addEventListener(name, onFailure, capturePhase)
  return {
    take() {
      for (const name of failureEvents) window.removeEventListener(name, onFailure, capturePhase)
      return failures.splice(0)
    },
  }
}
