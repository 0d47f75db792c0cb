import type { Missing, PageCarrying } from '../../shared/payload'

const address = '/api/site/missing'

/**
 * The page that is shown where there is none: its texts are the same for every address of a language, so they come by
 * themselves, and the 404 payload says only what was asked for.
 */
export async function fetchMissingPage(
  { message }: Missing,
  path: string,
  locale: string,
  fetched: typeof fetch,
  signal: AbortSignal,
): Promise<PageCarrying> {
  const response = await fetched(`${address}?lang=${locale}`, { signal })
  if (!response.ok) throw new Error(`${address} answered ${response.status}`)
  // Our own server's answer, to a page of the same build.
  const { data } = (await response.json()) as { data: PageCarrying }
  return { ...data, path, data: { status: 404, message, path } }
}
