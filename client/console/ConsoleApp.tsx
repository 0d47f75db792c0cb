import { Suspense } from 'react'
import { BrowserRouter, Navigate, Route, Routes, useLocation } from 'react-router-dom'
import { consolePaths } from '../../shared/console/console-call'
import type { ConsolePageData } from '../../shared/console/page-data'
import { AssetContext } from '../view-context'
import { ConsoleFrame } from './ConsoleFrame'
import { Notice } from './components/Notice'
import { ViewPage } from './components/ViewPage'
import { consoleViews, sessionsView, type ConsoleView } from './views'

const [firstView] = consoleViews

/** One view in the frame, under its heading. */
function ViewRoute({ view }: { view: ConsoleView }) {
  const { title, component: Component } = view
  return (
    <ViewPage title={title}>
      <Suspense fallback={<Notice text="Loading…" />}>
        <Component />
      </Suspense>
    </ViewPage>
  )
}

/**
 * The address of the console leads to the first view, with the filter of old insights addresses.
 */
function FirstView() {
  const { search } = useLocation()
  return <Navigate to={{ pathname: `/${firstView?.path ?? ''}`, search }} replace />
}

/** The owner's console: a menu of views, each a route below `/_ops/console`. */
export function ConsoleApp({ data }: { data: ConsolePageData }) {
  return (
    <AssetContext value={(name) => (name === 'sprite.svg' ? data.sprite : '')}>
      <BrowserRouter basename={consolePaths.page}>
        <ConsoleFrame data={data}>
          <Routes>
            <Route index element={<FirstView />} />
            {[...consoleViews, sessionsView].map((view) => (
              <Route
                key={view.path}
                path={view.path}
                element={<ViewRoute key={view.path} view={view} />}
              />
            ))}
            <Route
              path="*"
              element={
                <ViewPage title="Not found">
                  <Notice text="The console has no such view." />
                </ViewPage>
              }
            />
          </Routes>
        </ConsoleFrame>
      </BrowserRouter>
    </AssetContext>
  )
}
