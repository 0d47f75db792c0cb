import { href } from '../../shared/routes/href'
import { RedirectCountdown } from '../components/RedirectCountdown'
import { usePage } from '../view-context'
import { useTexts } from '../use-texts'
import s from './Error502.module.css'

/** Error screen (spec 7.3). The picture is inline, because the server may be down. */
export function Page() {
  const t = useTexts('errors')
  const { locale } = usePage()
  return (
    <main id="main" className={s['screen']} data-shell="error-screen">
      <svg
        className={s['illustration']}
        viewBox="0 0 240 160"
        role="img"
        aria-label={t('imageAlt')}
      >
        <path d="M20 20h120l30 30v90H20z" fill="var(--tile-1)" />
        <path d="M70 36h120l30 30v80H70z" fill="var(--tile-2)" />
        <path
          d="m132 44-16 40h26l-14 44"
          fill="none"
          stroke="var(--paper)"
          strokeWidth="10"
          strokeLinejoin="round"
          strokeLinecap="round"
        />
      </svg>
      <h1>{t('502msg1')}</h1>
      <p className={s['text']}>{t('502msg2')}</p>
      <RedirectCountdown
        to={href(locale, locale === 'ru' ? 'home' : 'blog')}
        secondsFirst={locale === 'zh' || locale === 'tc'}
      />
    </main>
  )
}
