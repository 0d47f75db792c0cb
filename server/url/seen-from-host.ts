import type { Redirect } from './redirect'

/**
 * A redirect as the browser's half of the site takes it: a path where it stays on the host that was asked, to be
 * followed inside the app; else the absolute address, `external`, to be loaded fully (spec 2.5).
 */
export function seenFromHost({ location, status, external }: Redirect, origin: string): Redirect {
  const inside = !external && location.startsWith(`${origin}/`)
  return { location: inside ? location.slice(origin.length) : location, status, external: !inside }
}
