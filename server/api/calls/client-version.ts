import { z } from 'zod'
import { systems, type System } from '../../../shared/front-matter'
import type { ContentStore } from '../../content/store/store'
import { SiteError } from '../../errors'
import { defineCall } from '../define-call'

type ClientVersion = { url: string; version: string; sha256: string; size: number }

/** How many releases are searched for a file of the requested system. */
const maxReleases = 50

/**
 * `GET /api/client/sys-client-version/get-latest-version?system=`: the file for a system from the
 * newest release that has one, else 404.
 */
export const clientVersion = defineCall({
  method: 'GET',
  path: '/client/sys-client-version/get-latest-version',
  rateLimit: 'other',
  inputFrom: 'query',
  input: z.object({ system: z.enum(systems, `one of ${systems.join(', ')}`) }),
  createHandler:
    ({ store, hosts }) =>
    ({ system }, { host }): ClientVersion => {
      const file = findNewestFile(store, system)
      if (!file) throw new SiteError('notFound', 'There is no version for this system')
      // An absolute URL, because clients other than browsers ask too.
      return { ...file, url: new URL(file.url, hosts.origins[host]).href }
    },
})

function findNewestFile(store: ContentStore, system: System): ClientVersion | null {
  for (const { id } of store.listNewest('release', 'en', {}, maxReleases, 0)) {
    const file = store
      .findEntry('release', id, 'en')
      ?.front.files.find((one) => one.system === system)
    if (file) return { url: file.url, version: id, sha256: file.sha256, size: file.size }
  }
  return null
}
