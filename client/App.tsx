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
  /** Number of the navigation: a new one resets the state of components. */
  visit?: number
  /** Browser-only components. The server renders an empty slot, so that `useId` gives equal ids. */
  children?: ReactNode
}

/** The whole page, on the server and in the browser: language, shell and the page component. */
export function App({ scope, page, visit = 0, children }: AppProps) {
  const { view } = scope
  // The route table pairs page and data (`pages.ts`).
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
