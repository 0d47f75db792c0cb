import { lazy, Suspense } from 'react'
import { usePage } from '../view-context'
import { ChatButtons } from './ChatButtons'
import { ConsentBanner } from './ConsentBanner'
import { LanguageOffer } from './LanguageOffer'
import { panelOpen } from './panel-open'
import { ScrollTop } from './ScrollTop'
import { SignupBanner } from './SignupBanner'
import { ToastList } from './ToastList'
import { useStore } from '../platform/use-store'

const Consult = lazy(() =>
  import(/* webpackChunkName: "consult" */ './Consult').then(({ Consult: component }) => ({
    default: component,
  })),
)

/** Everything that `corner.ts` finds a place for. */
export function FloatingParts() {
  const { locale } = usePage()
  const makesRoom = useStore(panelOpen)
  return (
    <div className="no-print">
      <ConsentBanner />
      <LanguageOffer />
      <SignupBanner />
      <ScrollTop />
      {locale === 'zh' && !makesRoom && (
        <Suspense>
          <Consult />
        </Suspense>
      )}
      <ChatButtons />
      <ToastList />
    </div>
  )
}
