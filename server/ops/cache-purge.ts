import { purgeRequest, purgeRequestRule } from '../../shared/console/system'
import { readBody } from '../api/read-body'
import { SiteError } from '../errors'
import type { OpsHandler, OpsServices } from './ops-call'

/**
 * `POST /_ops/cache/purge` with `{tags}`, `{paths}` or `{all: true}` (spec 8.5). Returns
 * `{purged}`, the number of entries that this process dropped.
 */
export function cachePurge({ purge, log }: Pick<OpsServices, 'purge' | 'log'>): OpsHandler {
  return async (request) => {
    const parsed = purgeRequest.safeParse(await readBody(request, 'json'))
    if (!parsed.success) throw new SiteError('badRequest', purgeRequestRule)
    const purged = purge(parsed.data)
    log.info({ purged, ...parsed.data }, 'purged by an operator')
    return { purged }
  }
}
