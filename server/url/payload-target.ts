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
 * Takes a payload's target apart: `/blog/_payload.json?{buildId}&page=2` asks for `/blog?page=2`. The build id is the
 * part of the query that is a bare word. Null where the target is no payload's.
 */
export function payloadTarget(target: string): PayloadTarget | null {
  if (!isPayloadTarget(target)) return null
  const { path, query } = splitTarget(target)
  const page = (decodePath(path) ?? path).slice(0, -payloadSuffix.length)
  const parts = query.slice(1).split('&').filter((part) => part !== '')
  const rest = parts.filter((part) => part.includes('='))
  return { path: page || '/', query: rest.length > 0 ? `?${rest.join('&')}` : '', buildId: parts.find((part) => !part.includes('=')) ?? null }
}
