import { useTranslation } from 'react-i18next'
import { Icon } from '../components/Icon'
import s from './Corner.module.css'
import { farDown } from './page-scroll'
import { panelOpen } from './panel-open'
import turned from './ScrollTop.module.css'
import { useCorner } from './use-corner'
import { useStore } from '../platform/use-store'

function toTop(): void {
  // The button goes away up there: without this the keyboard would be left nowhere.
  document.getElementById('main')?.focus({ preventScroll: true })
  window.scrollTo({
    top: 0,
    behavior: window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth',
  })
}

export function ScrollTop() {
  const { t } = useTranslation()
  const place = useCorner('scroll-top')
  const makesRoom = useStore(panelOpen)
  if (!useStore(farDown) || makesRoom) return null
  return (
    <button
      ref={place}
      type="button"
      className={s['button']}
      data-shell="scroll-top"
      aria-label={t('toTop')}
      onClick={toTop}
    >
      <Icon name="chevron-down" className={turned['up']} />
    </button>
  )
}
