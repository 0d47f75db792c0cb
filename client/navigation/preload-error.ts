/** What could not be fetched ahead or on a click: code, a payload, or the build's manifest. */
export type PreloadFailure = { kind: 'chunk' | 'payload' | 'manifest'; url: string; error: unknown }

/** Analytics listens for it on `window`; `detail` is a `PreloadFailure`. */
export const preloadErrorEvent = 'preload-error'

/** What was told already: a page of forty links would repeat one outage forty times. */
const told = new Set<string>()

/** Tells console and analytics once of each address that failed (spec section 8). */
export function reportPreloadError(failure: PreloadFailure): void {
  const name = `${failure.kind} ${failure.url}`
  if (told.has(name)) return
  told.add(name)
  console.error(`${failure.kind} failed: ${failure.url}`, failure.error)
  window.dispatchEvent(new CustomEvent<PreloadFailure>(preloadErrorEvent, { detail: failure }))
}
