/** Names of the events that tell of a failure; the last two are the site's own. */
export const failureEvents = [
  'error',
  'unhandledrejection',
  'preload-error',
  'request-failed',
] as const
type FailureEvent = (typeof failureEvents)[number]

/** `address`: of the element that failed, as it was then; a picture's is replaced afterwards. */
export type EarlyFailure = { type: FailureEvent; event: Event; address: string }
export type EarlyFailures = {
  /** Hands over what has happened so far; from then on the taker listens for himself. */ take: () => readonly EarlyFailure[]
}

/** Errors of resources do not bubble: they are seen on their way down. */
export const down = { capture: true } as const

/** The address that an element was to load. */
export const addressOf = (target: EventTarget | null): string =>
  target instanceof Element
    ? (target instanceof HTMLImageElement && target.currentSrc) ||
      target.getAttribute('src') ||
      target.getAttribute('href') ||
      ''
    : ''

/** Keeps failures from the first script of the page until the visitor's side has come, which is loaded last: those at the start are the ones that matter most. */
export function keepEarlyFailures(
  page: Pick<Window, 'addEventListener' | 'removeEventListener'>,
  most: number,
): EarlyFailures {
  const kept: EarlyFailure[] = []
  const keep = (event: Event): void => {
    if (kept.length < most)
      kept.push({ type: event.type as FailureEvent, event, address: addressOf(event.target) })
  }
  for (const name of failureEvents) page.addEventListener(name, keep, down)
  return {
    take() {
      for (const name of failureEvents) page.removeEventListener(name, keep, down)
      return kept.splice(0)
    },
  }
}
