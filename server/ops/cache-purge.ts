import { readBody } from '../api/read-body'
import { purgeRequest } from '../cache/purges'
import { SiteError } from '../errors'
import type { OpsCall } from './ops-call'

/** `POST /_ops/cache/purge` `{tags}`, `{paths}` or `{all: true}`: data `{purged}`, entries of this process (decisions 8). */
export const cachePurge: OpsCall['make'] = (site) => async (request) => {
  const parsed = purgeRequest.safeParse(await readBody(request, 'json'))
  if (!parsed.success)
    throw new SiteError(
      'badRequest',
      'one of tags, paths (each a list of 1 to 1000 texts) or all: true',
    )
  const purged = site.purge(parsed.data)
  site.log.info({ purged, ...parsed.data }, 'purged by an operator')
  return { purged }
}
