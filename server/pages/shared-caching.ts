import { pages } from '../../shared/constants'
import type { Settings } from '../env'

/** Caching headers of every answer that all visitors share (decisions 8): pages, their payloads, their islands. */
export const sharedCaching = (
  { CDN_MAX_AGE, CDN_TAGS }: Settings,
  tags: readonly string[],
): Record<string, string> => ({
  'Cache-Control': `public, max-age=0, s-maxage=${CDN_MAX_AGE}, stale-while-revalidate=${pages.staleSeconds}, stale-if-error=${pages.staleSeconds}`,
  ...(CDN_TAGS ? { 'Cache-Tag': tags.join(',') } : {}),
})
