import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { loadingBar } from '../navigation/loading-bar'
import s from './LoadingBar.module.css'

/** The bar at the top. It is moved past React: up to sixty times a second, and the policy forbids style attributes. */
export function LoadingBar() {
  const { t } = useTranslation()
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const show = (): void => {
      const bar = ref.current
      if (!bar) return
      const { state, progress, shown } = loadingBar.view.get()
      bar.dataset['state'] = state
      bar.toggleAttribute('data-shown', shown)
      bar.setAttribute('aria-valuenow', String(Math.round(progress)))
      bar.style.transform = `scaleX(${progress / 100})`
    }
    show()
    return loadingBar.view.subscribe(show)
  }, [])
  return (
    <div
      ref={ref}
      className={s['bar']}
      data-shell="loading-bar"
      data-state="idle"
      role="progressbar"
      aria-label={t('loading')}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={0}
    />
  )
}
