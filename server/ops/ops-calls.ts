import { cacheListing } from './cache-listing'
import { cachePurge } from './cache-purge'
import { insightsPage } from './insights-page'
import { metricsText } from './metrics-text'
import type { OpsCall } from './ops-call'

/** Operators' calls below `/_ops`: one file and one row each. */
export const opsCalls: readonly OpsCall[] = [
  { method: 'GET', path: '/cache', make: cacheListing },
  { method: 'POST', path: '/cache/purge', make: cachePurge },
  { method: 'GET', path: '/insights', login: true, make: insightsPage },
  { method: 'GET', path: '/metrics', make: metricsText },
]
