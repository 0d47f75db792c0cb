import type { PageData } from '../../shared/page-data'
import type { NotFoundPayload, PagePayload } from '../../shared/payload'

const address = '/api/site/missing'

/** The 404 page of a path, which is fetched separately: the 404 payload carries only the message. */
export async function fetchNotFoundPage(
  { message }: NotFoundPayload,
  path: string,
  locale: string,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<PagePayload> {
  const query = new URLSearchParams({ lang: locale, path })
  const response = await fetch(`${address}?${query}`, { signal })
  if (!response.ok) throw new Error(`${address} answered ${response.status}`)
  // Cast: the answer of our own server to a page of the same build.
  const { data } = (await response.json()) as { data: PagePayload & { data: PageData['error'] } }
  return { ...data, path, data: { ...data.data, status: 404, message, path } }
}
