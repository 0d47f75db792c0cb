import { useMemo, type ComponentType, type ReactNode } from 'react'
import { I18nextProvider } from 'react-i18next'
import { translatorFor } from '../shared/i18n/translate'
import { routeOf } from '../shared/routes/table'
import type { AnyPage } from './pages'
import { Shell } from './shell/Shell'
import { ViewContext, type ViewScope } from './view-context'

type AppProps = {
  scope: ViewScope
  page: AnyPage
  /** Differs from one navigation to the next: a page never inherits the state of the one before it. */
  visit?: number
  /** What the browser adds beside the page. Its place is kept on the server too, so that ids made by React agree. */
  children?: ReactNode
}

/** The whole page, the same on the server and in the browser: language, shell and the page of the route. */
export function App({ scope, page, visit = 0, children }: AppProps) {
  const { view } = scope
  const Page = page as ComponentType<{ data: unknown }>
  const content = <Page key={visit} data={view.data} />
  const translator = useMemo(() => translatorFor(view.locale, view.texts, view.site.brand), [view])
  return (
    <I18nextProvider i18n={translator}>
      <ViewContext value={scope}>
        {routeOf(view.route).meta?.shell === 'bare' ? content : <Shell>{content}</Shell>}
        {children}
      </ViewContext>
    </I18nextProvider>
  )
}
