/** The interface's bundle for the server (`shared/view.ts` is its contract). React lives in here and nowhere else on the server. */
import { renderToPipeableStream, renderToString } from 'react-dom/server'
import { I18nextProvider } from 'react-i18next'
import { translatorFor } from '../shared/i18n/translate'
import type { ViewModule } from '../shared/view'
import { App } from './App'
import { islands } from './islands/islands'
import { loadAllPages, loadedPage } from './pages'

export const renderPage: ViewModule['renderPage'] = (view, options) => {
  const page = loadedPage(view.route)
  if (!page) throw new Error(`the page of route ${view.route} is not loaded`)
  return renderToPipeableStream(
    <App scope={{ view, asset: options.asset, island: options.island }} page={page} />,
    {
      ...(options.nonce ? { nonce: options.nonce } : {}),
      // Never send a finished part late just because it is long: a page that is complete at once needs no inline script.
      progressiveChunkSize: Number.MAX_SAFE_INTEGER,
      onShellReady: options.onShellReady,
      onAllReady: options.onAllReady,
      onShellError: options.onShellError,
      onError: options.onError,
    },
  )
}

export const renderIsland: ViewModule['renderIsland'] = (name, view, data) => {
  const Island = islands[name]
  return renderToString(
    <I18nextProvider i18n={translatorFor(view.locale, view.texts, view.brand)}>
      <Island data={data as never} locale={view.locale} brand={view.brand} />
    </I18nextProvider>,
  )
}

export const ready: ViewModule['ready'] = loadAllPages
