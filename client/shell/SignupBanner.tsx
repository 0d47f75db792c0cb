import { useCallback } from 'react'
import { breakpoints, signupBanner as constants } from '../../shared/constants'
import { Icon } from '../components/Icon'
import { usePage } from '../view-context'
import { focusMain } from './focus-main'
import { signupBanner } from './signup-banner'
import { consentStore } from './service-stores'
import { panelOpen } from './panel-open'
import s from './SignupBanner.module.css'
import { useFloating } from './use-floating'
import { useMediaQuery } from './use-media-query'
import { useStore } from '../platform/use-store'
import { useTexts } from '../use-texts'

function close(): void {
  focusMain()
  signupBanner.close()
}

/**
 * A tap on the left 8 % closes the banner (spec 7.1). Clicks by keyboard have no coordinates and
 * are ignored.
 */
function closeOnLeftEdge(event: MouseEvent): void {
  if (!(event.currentTarget instanceof HTMLElement) || event.detail === 0) return
  const { left, width } = event.currentTarget.getBoundingClientRect()
  if (event.clientX - left > width * constants.closeZoneRatio) return
  event.preventDefault()
  close()
}

function Banner() {
  const t = useTexts('shell')
  const { site } = usePage()
  const floatingRef = useFloating('signup-banner')
  const ref = useCallback(
    (element: HTMLElement | null) => {
      const removeFromLayout = floatingRef(element)
      element?.addEventListener('click', closeOnLeftEdge)
      return () => {
        element?.removeEventListener('click', closeOnLeftEdge)
        removeFromLayout?.()
      }
    },
    [floatingRef],
  )
  return (
    <section
      ref={ref}
      className={s['banner']}
      data-shell="signup-banner"
      aria-label={t('register')}
    >
      <button
        type="button"
        className={s['close']}
        data-action="close"
        data-track="banner-close"
        aria-label={t('close')}
        onClick={close}
      >
        <Icon name="close" size={20} />
      </button>
      <p className={s['text']}>{t('signupBanner')}</p>
      <a
        className={s['register']}
        data-track="banner-register"
        href={site.registerUrl}
        data-action="register"
        data-expose="banner-register"
      >
        {t('register')}
      </a>
    </section>
  )
}

const neverAsking = { get: () => false, subscribe: () => () => undefined }

/**
 * Shown on phones only, and not while the message panel or the consent banner is open: one request
 * at a time.
 */
export function SignupBanner() {
  const isMobile = useMediaQuery(`(max-width: ${breakpoints.mobile}px)`)
  const isPanelOpen = useStore(panelOpen)
  const consent = useStore(consentStore)
  const isAskingConsent = useStore(consent?.bannerVisible ?? neverAsking)
  return useStore(signupBanner.visible) && isMobile && !isPanelOpen && !isAskingConsent ? (
    <Banner />
  ) : null
}
