import { href } from '../../shared/routes/href'
import { RedirectCountdown } from '../components/RedirectCountdown'
import { usePage } from '../view-context'
import { useTexts } from '../use-texts'
import s from './Error502.module.css'

/** Error screen (spec 7.3). */
export function Page() {
  const t = useTexts('errors')
  const { locale } = usePage()
  return (
    <main id="main" className={s['screen']} data-shell="error-screen">
      <img
        className={s['illustration']}
        src="/error-502.svg"
        width="240"
        height="160"
        alt={t('imageAlt')}
      />
      <h1>{t('502msg1')}</h1>
      <p className={s['text']}>{t('502msg2')}</p>
      <RedirectCountdown
        to={href(locale, locale === 'ru' ? 'home' : 'blog')}
        secondsFirst={locale === 'zh' || locale === 'tc'}
      />
    </main>
  )
}
