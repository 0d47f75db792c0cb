import type { NotFoundPayload, PagePayload } from '../../shared/payload'

const address = '/api/site/missing'

/**
 * The 404 page of a language. Its texts are the same for every address, so they are fetched
 * separately and the 404 payload carries only the message.
 */
export async function fetchNotFoundPage(
  { message }: NotFoundPayload,
  path: string,
  locale: string,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<PagePayload> {
  const response = await fetch(`${address}?lang=${locale}`, { signal })
  if (!response.ok) throw new Error(`${address} answered ${response.status}`)
  // Cast: the answer of our own server to a page of the same build.
  const { data } = (await response.json()) as { data: PagePayload }
  return { ...data, path, data: { status: 404, message, path } }
}
