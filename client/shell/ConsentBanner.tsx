import type { Consent as ConsentAnswer } from '../../shared/consent'
import { href } from '../../shared/routes/href'
import type { Consent } from '../analytics/consent'
import { useStore } from '../platform/use-store'
import { usePage } from '../view-context'
import s from './ConsentBanner.module.css'
import { focusMain } from './focus-main'
import { consentStore } from './service-stores'
import { useFloating } from './use-floating'
import { useTexts } from '../use-texts'

function Banner({ consent }: { consent: Consent }) {
  const t = useTexts('shell')
  const { locale } = usePage()
  const floatingRef = useFloating('consent')
  const decide = (answer: ConsentAnswer): void => {
    focusMain()
    consent.decide(answer)
  }
  return (
    <section
      ref={floatingRef}
      className={s['banner']}
      data-shell="consent"
      aria-label={t('consent.change')}
    >
      <p className={s['text']}>
        {t('consent.text')}{' '}
        <a data-track="consent-privacy" href={href(locale, 'single', { html: 'privacy' })}>
          {t('privacy')}
        </a>
      </p>
      <div className={s['choices']}>
        <button
          type="button"
          className={s['choice']}
          data-action="refuse"
          data-track="consent-refuse"
          onClick={() => decide('refused')}
        >
          {t('consent.refuse')}
        </button>
        <button
          type="button"
          className={s['choice']}
          data-action="accept"
          data-track="consent-accept"
          onClick={() => decide('accepted')}
        >
          {t('consent.accept')}
        </button>
      </div>
    </section>
  )
}

function BannerWhileAsking({ consent }: { consent: Consent }) {
  return useStore(consent.bannerVisible) ? <Banner consent={consent} /> : null
}

/**
 * Asks whether the visit may be measured, with two equal buttons (spec 7.8). It appears only where
 * the settings require consent, or when the visitor opens it from the footer.
 */
export function ConsentBanner() {
  const consent = useStore(consentStore)
  return consent && <BannerWhileAsking consent={consent} />
}
