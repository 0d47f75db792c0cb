/** Pages without content of their own, with the key (NAVBAR_…) of their name: the links page lists them, the search finds them. */
import type { RouteId } from './table'

export const plainPages: ReadonlyArray<{
  route: RouteId
  key: string
  /** Found by the search, but not listed among the links. */ unlisted?: true
}> = [
  { route: 'home', key: 'HOME' },
  { route: 'pricing', key: 'PRICING' },
  { route: 'download', key: 'DOWNLOAD' },
  { route: 'solutions', key: 'SOLUTIONS' },
  { route: 'use-cases', key: 'USE_CASES' },
  { route: 'blog', key: 'BLOG' },
  { route: 'news', key: 'NEWS' },
  { route: 'guide', key: 'GUIDE' },
  { route: 'helps', key: 'HELPS' },
  { route: 'release', key: 'RELEASE' },
  { route: 'partner', key: 'PARTNER' },
  { route: 'partner-plan', key: 'PARTNER_PLAN' },
  { route: 'referral-program', key: 'REFERRAL_PROGRAM' },
  { route: 'about-us', key: 'ABOUT' },
  { route: 'faq', key: 'FAQ' },
  { route: 'links', key: 'LINKS', unlisted: true },
  { route: 'pre-sales', key: 'PRE_SALES', unlisted: true },
]
