/**
 * What could not be fetched, ahead of a click or on it: code, a payload, or the build's manifest.
 */
export type PreloadFailure = { kind: 'chunk' | 'payload' | 'manifest'; url: string; error: unknown }

/** Dispatched on `window` for analytics; `detail` is a `PreloadFailure`. */
export const preloadErrorEvent = 'preload-error'

/** Failures already reported: a page with forty links would report one outage forty times. */
const reported = new Set<string>()

/** Reports an address that failed to the console and to analytics, once per address (spec 10.3). */
export function reportPreloadError(failure: PreloadFailure): void {
  const key = `${failure.kind} ${failure.url}`
  if (reported.has(key)) return
  reported.add(key)
  console.error(`${failure.kind} failed: ${failure.url}`, failure.error)
  window.dispatchEvent(new CustomEvent<PreloadFailure>(preloadErrorEvent, { detail: failure }))
}
