import { cacheListing } from './cache-listing'
import { cachePurge } from './cache-purge'
import { insightsFiles } from './insights-files'
import { metricsText } from './metrics-text'
import type { OpsCall } from './ops-call'

/** The operators' calls below `/_ops`: one file and one row each. */
export const opsCalls: readonly OpsCall[] = [
  { method: 'GET', path: '/cache', createHandler: cacheListing },
  { method: 'POST', path: '/cache/purge', createHandler: cachePurge },
  { method: 'GET', path: '/insights', isForBrowsers: true, createHandler: insightsFiles },
  { method: 'GET', path: '/metrics', createHandler: metricsText },
]
