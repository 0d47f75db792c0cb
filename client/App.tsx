import type { ComponentType } from 'react'
import { I18nextProvider } from 'react-i18next'
import { createTranslator } from '../shared/i18n/translate'
import { routeOf } from '../shared/routes/table'
import type { AnyPage } from './pages'
import { Shell } from './shell/Shell'
import { ViewContext, type ViewScope } from './view-context'

/** The whole page, the same on the server and in the browser: language, shell and the page of the route. */
export function App({ scope, page }: { scope: ViewScope; page: AnyPage }) {
  const { view } = scope
  const Page = page as ComponentType<{ data: unknown }>
  const content = <Page data={view.data} />
  return (
    <I18nextProvider i18n={createTranslator(view.locale, view.texts, view.site.brand)}>
      <ViewContext value={scope}>{routeOf(view.route).meta?.shell === 'bare' ? content : <Shell>{content}</Shell>}</ViewContext>
    </I18nextProvider>
  )
}
