import { Icon } from '../components/Icon'
import { focusMain } from './focus-main'
import s from './FloatingButton.module.css'
import { isScrolledDown } from './page-scroll'
import { panelOpen } from './panel-open'
import { useFloating } from './use-floating'
import { useStore } from '../platform/use-store'
import { useTexts } from '../use-texts'

function scrollToTop(): void {
  // The button disappears at the top of the page.
  focusMain()
  window.scrollTo({
    top: 0,
    behavior: window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth',
  })
}

/** Appears when the page is scrolled down by more than one viewport height (spec 7.1). */
export function ScrollTop() {
  const t = useTexts('shell')
  const floatingRef = useFloating('scroll-top')
  const isPanelOpen = useStore(panelOpen)
  if (!useStore(isScrolledDown) || isPanelOpen) return null
  return (
    <button
      ref={floatingRef}
      type="button"
      className={s['button']}
      data-shell="scroll-top"
      data-track="page-top"
      aria-label={t('toTop')}
      onClick={scrollToTop}
    >
      <Icon name="chevron-down" className={s['arrowUp']} />
    </button>
  )
}
