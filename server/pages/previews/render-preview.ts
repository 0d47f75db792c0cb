import type { ServerResponse } from 'node:http'
import { pages } from '../../../shared/constants'
import { locales } from '../../../shared/i18n/locales'
import { match } from '../../../shared/routes/match'
import { withPreviewToken } from '../../../shared/images'
import type { FullEntry } from '../../content/store/entry'
import type { ContentStore } from '../../content/store/store'
import { SiteError } from '../../errors'
import { entryHref } from '../../url/entry-href'
import { createView, type ViewResult, type ViewServices } from '../create-view'
import { parseCover } from '../loaders/cards'
import { createPageRenderer, type RendererServices } from '../render/page-renderer'
import { previewSecret, readPreview, type Preview } from './preview-link'

/** The URL is a secret. */
const noReferrer = { 'Referrer-Policy': 'no-referrer' }
const notFound = (): SiteError => new SiteError('notFound', undefined, noReferrer)

/**
 * An entry whose own pictures carry the token. They are not public before the entry is published in
 * a language.
 */
function withSignedPictures(entry: FullEntry, token: string): FullEntry {
  const folder = `/content/${entry.collection}/${entry.id}/`
  const cover = entry.cover === null ? null : parseCover(entry.cover)
  return {
    ...entry,
    cover:
      cover?.provider === 'content' ? JSON.stringify({ ...cover, preview: token }) : entry.cover,
    html: entry.html.replace(/\/_image\/[^\s"]+/g, (url) =>
      url.includes(folder) ? withPreviewToken(url, token) : url,
    ),
  }
}

/** The store as if one unpublished entry were public, for that preview only. */
function withPreview(
  store: ContentStore,
  { collection, id, locale }: Preview,
  token: string,
): ContentStore {
  const unpublished = store.findUnpublished(collection, id, locale)
  if (!unpublished) return store
  const isPublished = store.localesOf(collection, id).length > 0
  const entry = isPublished ? unpublished : withSignedPictures(unpublished, token)
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
function loadPreview(services: ViewServices, preview: Preview, token: string): ViewResult {
  const { collection, id, locale } = preview
  const path = entryHref(collection, id, locale)
  if (!path) throw notFound()
  const unprefixedPath = path.slice(locales[locale].prefix.length) || '/'
  const result = createView(
    { ...services, store: withPreview(services.store, preview, token) },
    { locale, match: match(unprefixedPath), page: 1, path },
  )
  if (result.status !== 200) throw notFound()
  const seo = { ...result.view.seo, canonical: null, alternates: [], robots: 'noindex' }
  return { ...result, view: { ...result.view, seo } }
}

/** Base info without the statistics snippets: nothing on a preview may report a visit. */
const withoutSnippets = ({ baseInfo }: RendererServices): RendererServices['baseInfo'] => ({
  ...baseInfo,
  of: (locale) => ({ ...baseInfo.of(locale), statistical_title: '', statistical_body: '' }),
})

/**
 * Renders drafts and scheduled entries for signed links that expire (`npm run content:preview`):
 * like every page, but private, never stored and never indexed.
 */
export function createPreviewRenderer(services: ViewServices & RendererServices) {
  const secret = previewSecret(services.settings.DATA_DIR)
  const renderer = createPageRenderer({ ...services, baseInfo: withoutSnippets(services) })
  return async function renderPreview(token: string, response: ServerResponse) {
    const preview = readPreview(token, secret, Date.now())
    if (!preview) throw notFound()
    const result = loadPreview(services, preview, token)
    const signal = AbortSignal.timeout(pages.renderTimeoutMs)
    const rendering = await renderer.render(result, signal, response)
    // A preview has no late parts: articles have no islands that take time.
    if (rendering.kind !== 'whole') throw new SiteError('renderFailed')
    const headers: Record<string, string> = {
      ...renderer.headers(result),
      'Cache-Control': 'private, no-store',
      'X-Robots-Tag': 'noindex',
      ...noReferrer,
    }
    return { headers, html: rendering.html }
  }
}
