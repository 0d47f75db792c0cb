import type { Hosts } from '../url/hosts'
import type { Logger } from '../telemetry/logger'
import type { ViewModule } from '../../shared/view'
import type { Build } from '../build-info'
import type { Settings } from '../env'
import type { PageServices } from '../pages/page-services'
import type { RequestHandler } from 'express'
import { pages } from '../../shared/constants'
import { locales } from '../../shared/i18n/locales'
import { match } from '../../shared/routes/match'
import { pageFileOf } from '../../shared/routes/page-file'
import type { ContentStore } from '../content/store/store'
import { SiteError } from '../errors'
import { renderIsland } from '../pages/islands/render-island'
import { entryHref } from '../url/entry-href'
import { previewSecret, readPreview, type Preview } from '../pages/preview-link'
import { contentSecurityPolicy } from '../pages/render/content-security-policy'
import { documentParts } from '../pages/render/document'
import { pageAssets, renderHead } from '../pages/seo/head'
import { createView } from '../pages/create-view'
import { renderPage } from '../pages/render/render-page'
import { requestId } from '../telemetry/logger'

/** The store as it will be when one entry is public: only for that preview. */
function withPreview(store: ContentStore, { collection, id, locale }: Preview): ContentStore {
  const entry = store.unpublished(collection, id, locale)
  const entryOrPublic = ((wanted, wantedId, code) =>
    entry && wanted === collection && wantedId === id && code === locale
      ? entry
      : store.entry(wanted, wantedId, code)) as ContentStore['entry']
  return {
    ...store,
    entry: entryOrPublic,
    localesOf: (wanted, wantedId) =>
      entry && wanted === collection && wantedId === id
        ? [...new Set([...store.localesOf(wanted, wantedId), locale])]
        : store.localesOf(wanted, wantedId),
  }
}

/** Drafts and scheduled texts by a signed link that expires (`npm run content:preview`): private, never stored, never indexed. */
export function previews(site: PageServices): RequestHandler {
  const secret = previewSecret(site.settings.DATA_DIR)
  return async function previewsRow(request, response) {
    const preview = readPreview(request.path.slice(1), secret, Date.now())
    const path = preview && entryHref(preview.collection, preview.id, preview.locale)
    if (!preview || !path) throw new SiteError('notFound')
    const { prefix, language } = locales[preview.locale]
    const made = createView(
      { ...site, store: withPreview(site.store, preview) },
      { locale: preview.locale, match: match(path.slice(prefix.length) || '/'), page: 1, path },
    )
    if (made.status !== 200) throw new SiteError('notFound')
    const view = {
      ...made.view,
      seo: { ...made.view.seo, canonical: null, alternates: [], robots: 'noindex' },
    }
    const group = pageAssets(
      site.build.assets.main,
      site.build.assets.pages[pageFileOf(view.route)],
    )
    const parts = documentParts(
      view,
      renderHead(view, group.css),
      group.js,
      site.build.assets.files,
    )
    const rendering = await renderPage(
      view,
      parts,
      ({ name, props }) => {
        const html = renderIsland(site, name, props, view.locale, made.tags)
        return html instanceof Promise ? html.then((late) => late ?? '') : (html ?? '')
      },
      AbortSignal.timeout(pages.renderTimeout),
      {
        view: site.view,
        asset: (name) => site.build.assets.files[name] ?? '',
        onError: (error) =>
          site.log.error({ ...requestId(response), err: error }, 'a preview failed to render'),
      },
    )
    if (rendering.kind !== 'whole') throw new SiteError('renderFailed')
    const secure = site.hosts.secure(locales[preview.locale].domain)
    response.set({
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': language,
      'Content-Security-Policy': contentSecurityPolicy(site.store.site().csp, [], secure),
      'Cache-Control': 'private, no-store',
      'X-Robots-Tag': 'noindex',
      'Referrer-Policy': 'no-referrer',
    })
    response.send(rendering.html)
  }
}
