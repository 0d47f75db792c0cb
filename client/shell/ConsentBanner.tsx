import { useTranslation } from 'react-i18next'
import { href } from '../../shared/routes/href'
import { usePage } from '../view-context'
import type { Consent } from '../analytics/consent'
import s from './ConsentBanner.module.css'
import { consentInUse } from './in-use'
import { useCorner } from './use-corner'
import { useStore } from '../platform/use-store'

function Banner({ consent }: { consent: Consent }) {
  const { t } = useTranslation()
  const { locale } = usePage()
  const place = useCorner('consent')
  return (
    <section
      ref={place}
      className={s['banner']}
      data-shell="consent"
      aria-label={t('consent.change')}
    >
      <p className={s['text']}>
        {t('consent.text')} <a href={href(locale, 'single', { html: 'privacy' })}>{t('privacy')}</a>
      </p>
      <div className={s['choices']}>
        <button
          type="button"
          className={s['choice']}
          data-action="refuse"
          onClick={() => consent.decide('refused')}
        >
          {t('consent.refuse')}
        </button>
        <button
          type="button"
          className={s['choice']}
          data-action="accept"
          onClick={() => consent.decide('accepted')}
        >
          {t('consent.accept')}
        </button>
      </div>
    </section>
  )
}

function Asking({ consent }: { consent: Consent }) {
  return useStore(consent.asking) ? <Banner consent={consent} /> : null
}

/** Asks whether the visit may be measured, with two equal buttons; seen only where the configuration asks, or from the footer. */
export function ConsentBanner() {
  const consent = useStore(consentInUse)
  return consent && <Asking consent={consent} />
}
