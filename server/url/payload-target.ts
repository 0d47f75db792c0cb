import { payloadSuffix } from '../../shared/payload'
import { decodePath, splitTarget } from './decode-path'

/**
 * The page of a requested payload: path and query without the payload's parts, and the build id.
 */
type PayloadTarget = { path: string; query: string; buildId: string | null }

/** Whether a request target is a payload's, in any spelling (`/%5fpayload.json`). */
export function isPayloadTarget(target: string): boolean {
  const { path } = splitTarget(target)
  return (decodePath(path) ?? path).endsWith(payloadSuffix)
}

/**
 * Parses the target of a payload: `/blog/_payload.json?{buildId}&page=2` requests `/blog?page=2`.
 * The build id comes first in the query, without a value; the page's query follows, byte for byte.
 * Null for other targets.
 */
export function payloadTarget(target: string): PayloadTarget | null {
  if (!isPayloadTarget(target)) return null
  const { path, query } = splitTarget(target)
  // The spelling of the page's path stays: URL rules apply to it.
  const page = (path.endsWith(payloadSuffix) ? path : (decodePath(path) ?? path)).slice(
    0,
    -payloadSuffix.length,
  )
  const [, buildId = null, rest = ''] = /^\?([^&=]+)(?:&(.*))?$/s.exec(query) ?? []
  const pageQuery = buildId === null ? query : rest === '' ? '' : `?${rest}`
  return { path: page || '/', query: pageQuery, buildId }
}
