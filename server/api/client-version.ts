import { z } from 'zod'
import { systems, type System } from '../../shared/content'
import type { ContentStore } from '../content/store/store'
import { SiteError } from '../errors'
import { defineCall } from './api-call'

type ClientVersion = { url: string; version: string; sha256: string; size: number }

/** Releases looked at for a system that the newest has no file for. */
const releasesLookedAt = 50

/** `GET /api/client/sys-client-version/get-latest-version?system=`: the file of the newest release that has one for that system, else 404. */
export const clientVersion = defineCall({
  method: 'GET',
  path: '/client/sys-client-version/get-latest-version',
  limit: 'other',
  from: 'query',
  input: z.object({ system: z.enum(systems, `one of ${systems.join(', ')}`) }),
  make:
    ({ store, hosts }) =>
    ({ system }, { host }): ClientVersion => {
      const found = newestFile(store, system)
      if (!found) throw new SiteError('notFound', 'There is no version for this system')
      // Absolute, as programs ask too.
      return { ...found, url: new URL(found.url, hosts.origins[host]).href }
    },
})

function newestFile(store: ContentStore, system: System): ClientVersion | null {
  for (const { id } of store.newest('release', 'en', {}, releasesLookedAt, 0)) {
    const file = store.entry('release', id, 'en')?.front.files.find((one) => one.system === system)
    if (file) return { url: file.url, version: id, sha256: file.sha256, size: file.size }
  }
  return null
}
