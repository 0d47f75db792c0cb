import { useEffect, useState } from 'react'
import { errorScreen } from '../../shared/constants'
import { useTexts } from '../use-texts'
import { ButtonLink } from './ButtonLink'
import { useFocusWhen } from './use-focus-when'
import s from './RedirectCountdown.module.css'

/**
 * Redirects the visitor when the seconds are over, unless the visitor stops it (WCAG 2.2.1).
 * Chinese has the seconds before the label, other languages after it (spec 7.3). The countdown
 * starts at hydration; until then only the link back is visible, which also works when this code
 * cannot be loaded.
 */
export function RedirectCountdown({ to, secondsFirst }: { to: string; secondsFirst: boolean }) {
  const t = useTexts('errors')
  const [seconds, setSeconds] = useState<number>(errorScreen.countdownSeconds)
  const [isStopped, setStopped] = useState(false)
  const statusRef = useFocusWhen<HTMLParagraphElement>(isStopped)
  const isRunning = !isStopped && seconds > 0

  useEffect(() => {
    if (!isRunning) return undefined
    const timer = window.setInterval(() => setSeconds((left) => left - 1), 1000)
    return () => window.clearInterval(timer)
  }, [isRunning])

  useEffect(() => {
    if (seconds === 0) window.location.assign(to)
  }, [seconds, to])

  const countdown = (
    <span className={s['seconds']} data-shell="countdown">
      {seconds}
    </span>
  )
  return (
    <>
      <div>
        <p ref={statusRef} role="status" tabIndex={-1}>
          {isStopped && t('stopped')}
        </p>
        {!isStopped && (
          <p className={s['line']}>
            {secondsFirst && countdown}
            <span>{t('refresh')}</span>
            {!secondsFirst && countdown}
          </p>
        )}
      </div>
      <div className={s['buttons']}>
        {!isStopped && (
          <button
            type="button"
            className={s['stop']}
            data-action="stop"
            data-track="error-stop"
            onClick={() => setStopped(true)}
          >
            {t('stop')}
          </button>
        )}
        <ButtonLink
          href={to}
          track="error-back"
          exposed={false}
          variant="secondary"
          action="back"
          onFollow={() => window.location.assign(to)}
        >
          {t('back')}
        </ButtonLink>
      </div>
    </>
  )
}
