import { chunkReload } from '../../shared/constants'
import { toRecord } from '../platform/to-record'

type Options = {
  /** `sessionStorage`; null where the browser forbids it. */
  storage: Pick<Storage, 'getItem' | 'setItem'> | null
  /** ms since 1970. */
  now: () => number
}

const storageKey = 'chunk_reload'

/**
 * Paths that were reloaded recently, with the time of the reload (ms since 1970). Values that are
 * not numbers are ignored: another build may have stored another shape.
 */
function recentReloads(
  storage: Pick<Storage, 'getItem'>,
  now: number,
): Readonly<Record<string, unknown>> {
  try {
    const stored = toRecord(JSON.parse(storage.getItem(storageKey) ?? '{}'))
    return Object.fromEntries(
      Object.entries(stored).filter(
        ([, time]) => typeof time === 'number' && now - time < chunkReload.guardMs,
      ),
    )
  } catch {
    return {}
  }
}

/**
 * What to do when the code of a page cannot be fetched (spec 7.13): reload the page, but once in 10
 * s for a path; the second failure shows the error screen. Without storage the first failure cannot
 * be remembered, so the error screen is shown at once instead of risking a reload loop.
 */
export function afterChunkFailure(
  path: string,
  { storage, now }: Options,
): 'reload' | 'error-screen' {
  if (!storage) return 'error-screen'
  const reloads = recentReloads(storage, now())
  if (path in reloads) return 'error-screen'
  try {
    storage.setItem(storageKey, JSON.stringify({ ...reloads, [path]: now() }))
  } catch {
    return 'error-screen'
  }
  return 'reload'
}
