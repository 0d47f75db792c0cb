import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorScreen } from '../../shared/constants'
import s from './LeaveCountdown.module.css'

/**
 * Leads the visitor away when the seconds are over, unless stopped (WCAG 2.2.1). The seconds stand before the label in
 * Chinese and after it elsewhere (spec 2.7). The server shows the full time; it runs once the page takes input.
 */
export function LeaveCountdown({ to, secondsFirst }: { to: string; secondsFirst: boolean }) {
  const { t } = useTranslation('errors')
  const [seconds, setSeconds] = useState<number>(errorScreen.countdown)
  const [stopped, setStopped] = useState(false)
  const running = !stopped && seconds > 0

  useEffect(() => {
    if (!running) return undefined
    const timer = window.setInterval(() => setSeconds((left) => left - 1), 1000)
    return () => window.clearInterval(timer)
  }, [running])

  useEffect(() => {
    if (seconds === 0) window.location.assign(to)
  }, [seconds, to])

  const number = (
    <span className={s['seconds']} data-shell="countdown">
      {seconds}
    </span>
  )
  return (
    <>
      {stopped ? (
        <p role="status">{t('stopped')}</p>
      ) : (
        <p className={s['line']}>
          {secondsFirst && number}
          <span>{t('refresh')}</span>
          {!secondsFirst && number}
        </p>
      )}
      <div className={s['buttons']}>
        {!stopped && (
          <button
            type="button"
            className={s['stop']}
            data-action="stop"
            onClick={() => setStopped(true)}
          >
            {t('stop')}
          </button>
        )}
        <button
          type="button"
          className={s['back']}
          data-action="back"
          onClick={() => window.location.assign(to)}
        >
          {t('back')}
        </button>
      </div>
    </>
  )
}
