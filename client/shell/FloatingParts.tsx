import { lazy, Suspense } from 'react'
import { usePage } from '../view-context'
import { useStore } from '../platform/use-store'
import { ChatButton } from './ChatButton'
import { ConsentBanner } from './ConsentBanner'
import { LanguageOffer } from './LanguageOffer'
import { panelOpen } from './panel-open'
import { ScrollTop } from './ScrollTop'
import { SignupBanner } from './SignupBanner'
import { ToastList } from './ToastList'

const ConsultButton = lazy(() =>
  import(/* webpackChunkName: "consult" */ './ConsultButton').then((module) => ({
    default: module.ConsultButton,
  })),
)

/** Everything that `floating-layout.ts` positions. */
export function FloatingParts() {
  const { locale } = usePage()
  const isPanelOpen = useStore(panelOpen)
  return (
    <div className="no-print">
      <ConsentBanner />
      <LanguageOffer />
      <SignupBanner />
      <ScrollTop />
      {locale === 'zh' && !isPanelOpen && (
        <Suspense>
          <ConsultButton />
        </Suspense>
      )}
      <ChatButton />
      <ToastList />
    </div>
  )
}
