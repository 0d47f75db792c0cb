/**
 * Entry of the server bundle. `shared/view.ts` has its types; the server imports React only here.
 */
import type { ReactElement } from 'react'
import { renderToPipeableStream, renderToString } from 'react-dom/server'
import { I18nextProvider } from 'react-i18next'
import { translatorFor } from '../shared/i18n/translate'
import { shellOf } from '../shared/routes/table'
import type { PageView, RenderOptions, ViewModule } from '../shared/view'
import { App } from './App'
import { AssetContext } from './view-context'
import { islands } from './islands/islands'
import { renderMenus } from './shell/SiteMenus'
import { loadAllPages, loadedPage } from './pages'

function pageElement(view: PageView, { asset, island }: RenderOptions): ReactElement {
  const page = loadedPage(view.route)
  if (!page) throw new Error(`the page of route ${view.route} is not loaded`)
  const menus = shellOf(view.route) === 'full' ? renderMenus(view, asset) : null
  return (
    <App
      scope={{ view, asset, island, menus }}
      page={page}
      translator={translatorFor(view.locale, view.texts, view.site.brand)}
    />
  )
}

export const renderPage: ViewModule['renderPage'] = (view, options) =>
  renderToString(pageElement(view, options))

export const streamPage: ViewModule['streamPage'] = (view, options) =>
  renderToPipeableStream(pageElement(view, options), {
    nonce: options.nonce,
    // By default React delays long finished parts, which would add inline scripts.
    progressiveChunkSize: Number.MAX_SAFE_INTEGER,
    onShellReady: options.onShellReady,
    onAllReady: options.onAllReady,
    onShellError: options.onShellError,
    onError: options.onError,
  })

export const renderIsland: ViewModule['renderIsland'] = (name, view, data) => {
  const Island = islands[name]
  return renderToString(
    <I18nextProvider i18n={translatorFor(view.locale, view.texts, view.brand)}>
      <AssetContext value={view.asset}>
        {/* The island table pairs island and data. */}
        <Island data={data as never} locale={view.locale} brand={view.brand} />
      </AssetContext>
    </I18nextProvider>,
  )
}

export const ready: ViewModule['ready'] = loadAllPages
