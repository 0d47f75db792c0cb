import { chunkReload } from '../../shared/constants'

type Memory = Pick<Storage, 'getItem' | 'setItem'>
type Options = {
  /** Null where the browser forbids storage. */ storage: Memory | null
  /** ms since 1970. */ now: () => number
}

const key = 'chunk_reload'

/** Paths that were reloaded lately, and when. Another tab's build may have written anything: what is no time counts as never. */
function lately(storage: Memory, now: number): Record<string, number> {
  try {
    const stored: unknown = JSON.parse(storage.getItem(key) ?? '{}')
    return Object.fromEntries(
      Object.entries(stored ?? {}).filter(
        ([, at]) => typeof at === 'number' && now - at < chunkReload.guard,
      ),
    )
  } catch {
    return {}
  }
}

/**
 * What to do when the code of a page cannot be fetched (spec section 4): load the page anew, but once in 10 s for one path;
 * a second failure ends at the error screen. Without storage there is no memory of the first, and a loop would be worse.
 */
export function afterChunkFailure(
  path: string,
  { storage, now }: Options,
): 'reload' | 'error-screen' {
  if (!storage) return 'error-screen'
  const reloads = lately(storage, now())
  if (path in reloads) return 'error-screen'
  try {
    storage.setItem(key, JSON.stringify({ ...reloads, [path]: now() }))
  } catch {
    return 'error-screen'
  }
  return 'reload'
}

/** `sessionStorage`, or null where reading the property alone throws. */
export function sessionMemory(page: Window): Storage | null {
  try {
    return page.sessionStorage
  } catch {
    return null
  }
}
