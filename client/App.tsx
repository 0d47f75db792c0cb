import type { i18n as I18n } from 'i18next'
import { useMemo, type ComponentType, type ReactNode } from 'react'
import { I18nextProvider } from 'react-i18next'
import { shellOf } from '../shared/routes/table'
import type { AnyPage } from './pages'
import { LoadingBar } from './shell/LoadingBar'
import { Shell } from './shell/Shell'
import { AssetContext, ViewContext, type ViewScope } from './view-context'

type AppProps = {
  scope: ViewScope
  page: AnyPage
  /** On the server an instance of i18next, in the browser the part of it that pages use. */
  translator: I18n
  /** Number of the navigation: a new one resets the state of components. */
  visit?: number
  /** Browser-only components. The server renders an empty slot, so that `useId` gives equal ids. */
  children?: ReactNode
}

/** The whole page, on the server and in the browser: language, shell and the page component. */
export function App({ scope, page, translator, visit = 0, children }: AppProps) {
  const { view } = scope
  // The route table pairs page and data (`pages.ts`).
  const Page = page as ComponentType<{ data: unknown }>
  const shell = shellOf(view.route)
  // The same element while the page stays: rendered again, it would lose the islands that the
  // server has not sent yet.
  const content = useMemo(() => <Page key={visit} data={view.data} />, [Page, visit, view.data])
  return (
    <I18nextProvider i18n={translator}>
      <ViewContext value={scope}>
        <AssetContext value={scope.asset}>
          <LoadingBar />
          {shell === 'bare' ? content : <Shell hasMenus={shell === 'full'}>{content}</Shell>}
          {children}
        </AssetContext>
      </ViewContext>
    </I18nextProvider>
  )
}
