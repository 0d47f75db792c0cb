import { useEffect, useRef } from 'react'
import { loadingBar } from '../navigation/loading-bar'
import { useTexts } from '../use-texts'
import s from './LoadingBar.module.css'

/**
 * Progress bar at the top of the page. It changes up to 60 times a second, so it bypasses React,
 * and the content security policy forbids style attributes.
 */
export function LoadingBar() {
  const t = useTexts('navigation')
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const update = (): void => {
      const bar = ref.current
      if (!bar) return
      const { state, progress, visible: shown } = loadingBar.view.get()
      bar.dataset['state'] = state
      bar.toggleAttribute('data-shown', shown)
      bar.setAttribute('aria-valuenow', String(Math.round(progress)))
      bar.style.transform = `scaleX(${progress / 100})`
    }
    update()
    return loadingBar.view.subscribe(update)
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
