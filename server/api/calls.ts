import type { ApiCall } from './api-call'
import { siteMissing } from './site-missing'
import { siteOffer } from './site-offer'
import { siteRedirect } from './site-redirect'

/** THE CALLS of the embedded API: one file and one row each. */
export const calls: readonly ApiCall[] = [
  siteMissing,
  siteOffer,
  siteRedirect,
]

const byPath = new Map<string, ApiCall[]>()
for (const call of calls) byPath.set(call.path, [...(byPath.get(call.path) ?? []), call])

/** The calls at a path below `/api`: one a method; none where nothing is. */
export const callsAt = (path: string): readonly ApiCall[] => byPath.get(path) ?? []

/** With `API_UPSTREAM` these are still answered here: they are about the site itself (decisions 2). */
export const isSiteCall = (path: string): boolean => path.startsWith('/site/')
