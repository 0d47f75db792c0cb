import { payloadSuffix } from '../../shared/payload'
import { decodePath, splitTarget } from './decode-path'

/** The page that a payload is asked of: path and query without what belongs to the payload, and the build that asks. */
export type PayloadTarget = { path: string; query: string; buildId: string | null }

/** Whether a request target is a payload's, however it is spelled (`/%5fpayload.json`); the one place that knows. */
export function isPayloadTarget(target: string): boolean {
  const { path } = splitTarget(target)
  return (decodePath(path) ?? path).endsWith(payloadSuffix)
}

/**
 * Takes a payload's target apart: `/blog/_payload.json?{buildId}&page=2` asks for `/blog?page=2`. The build id stands
 * first in the query and is a bare word; what follows is the page's query, byte for byte. Null where the target is no payload's.
 */
export function payloadTarget(target: string): PayloadTarget | null {
  if (!isPayloadTarget(target)) return null
  const { path, query } = splitTarget(target)
  // The page's own spelling stays: it is for the rules to judge.
  const page = (path.endsWith(payloadSuffix) ? path : (decodePath(path) ?? path)).slice(
    0,
    -payloadSuffix.length,
  )
  const [, buildId = null, rest = ''] = /^\?([^&=]+)(?:&(.*))?$/s.exec(query) ?? []
  const own = buildId === null ? query : rest === '' ? '' : `?${rest}`
  return { path: page || '/', query: own, buildId }
}
