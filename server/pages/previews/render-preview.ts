import type { ServerResponse } from 'node:http'
import { pages } from '../../../shared/constants'
import { locales } from '../../../shared/i18n/locales'
import { match } from '../../../shared/routes/match'
import type { ContentStore } from '../../content/store/store'
import { SiteError } from '../../errors'
import { entryHref } from '../../url/entry-href'
import { createView, type ViewResult, type ViewServices } from '../create-view'
import { createPageRenderer, type RendererServices } from '../render/page-renderer'
import { previewSecret, readPreview, type Preview } from './preview-link'

/** The store as if one unpublished entry were public, for that preview only. */
function withPreview(store: ContentStore, { collection, id, locale }: Preview): ContentStore {
  const entry = store.findUnpublished(collection, id, locale)
  if (!entry) return store
  // The cast: TypeScript cannot see that an entry of this collection has the requested type.
  const findEntry = ((wantedCollection, wantedId, wantedLocale) =>
    wantedCollection === collection && wantedId === id && wantedLocale === locale
      ? entry
      : store.findEntry(wantedCollection, wantedId, wantedLocale)) as ContentStore['findEntry']
  return {
    ...store,
    findEntry,
    localesOf: (wantedCollection, wantedId) => {
      const written = store.localesOf(wantedCollection, wantedId)
      return wantedCollection === collection && wantedId === id
        ? [...new Set([...written, locale])]
        : written
    },
  }
}

/** The page of a preview, without links to other languages. Throws 404 where it does not exist. */
function loadPreview(services: ViewServices, preview: Preview): ViewResult {
  const { collection, id, locale } = preview
  const path = entryHref(collection, id, locale)
  if (!path) throw new SiteError('notFound')
  const unprefixedPath = path.slice(locales[locale].prefix.length) || '/'
  const result = createView(
    { ...services, store: withPreview(services.store, preview) },
    { locale, match: match(unprefixedPath), page: 1, path },
  )
  if (result.status !== 200) throw new SiteError('notFound')
  const seo = { ...result.view.seo, canonical: null, alternates: [], robots: 'noindex' }
  return { ...result, view: { ...result.view, seo } }
}

/**
 * Renders drafts and scheduled entries for signed links that expire (`npm run content:preview`):
 * like every page, but private, never stored and never indexed.
 */
export function createPreviewRenderer(services: ViewServices & RendererServices) {
  const secret = previewSecret(services.settings.DATA_DIR)
  const renderer = createPageRenderer(services)
  return async function renderPreview(token: string, response: ServerResponse) {
    const preview = readPreview(token, secret, Date.now())
    if (!preview) throw new SiteError('notFound')
    const result = loadPreview(services, preview)
    const signal = AbortSignal.timeout(pages.renderTimeoutMs)
    const rendering = await renderer.render(result, signal, response)
    // A preview has no late parts: articles have no islands that take time.
    if (rendering.kind !== 'whole') throw new SiteError('renderFailed')
    const headers: Record<string, string> = {
      ...renderer.headers(result),
      'Cache-Control': 'private, no-store',
      'X-Robots-Tag': 'noindex',
      // The URL is a secret.
      'Referrer-Policy': 'no-referrer',
    }
    return { headers, html: rendering.html }
  }
}
