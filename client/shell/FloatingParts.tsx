import { lazy, Suspense } from 'react'
import { usePage } from '../view-context'
import { ChatButtons } from './ChatButtons'
import { LanguageOffer } from './LanguageOffer'
import { ScrollTop } from './ScrollTop'
import { SignupBanner } from './SignupBanner'
import { ToastList } from './ToastList'

const Consult = lazy(() => import(/* webpackChunkName: "consult" */ './Consult').then(({ Consult: component }) => ({ default: component })))

/** Everything that `corner.ts` finds a place for. */
export function FloatingParts() {
  const { locale } = usePage()
  return (
    <div className="no-print">
      <LanguageOffer />
      <SignupBanner />
      <ScrollTop />
      {locale === 'zh' && (
        <Suspense>
          <Consult />
        </Suspense>
      )}
      <ChatButtons />
      <ToastList />
    </div>
  )
}
