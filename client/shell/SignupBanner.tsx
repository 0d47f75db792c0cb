import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { breakpoints, signupBanner as constants } from '../../shared/constants'
import { Icon } from '../components/Icon'
import { usePage } from '../view-context'
import { signupBanner } from './signup-banner'
import { consentInUse } from './in-use'
import { panelOpen } from './panel-open'
import s from './SignupBanner.module.css'
import { useCorner } from './use-corner'
import { useMedia } from './use-media'
import { useStore } from '../platform/use-store'

/** A tap on the left 8 % closes it (spec section 4). The keyboard's clicks have no place and are left alone. */
function closeOnLeft(event: MouseEvent): void {
  if (!(event.currentTarget instanceof HTMLElement) || event.detail === 0) return
  const { left, width } = event.currentTarget.getBoundingClientRect()
  if (event.clientX - left > width * constants.closeZone) return
  event.preventDefault()
  signupBanner.close()
}

function Banner() {
  const { t } = useTranslation()
  const { site } = usePage()
  const place = useCorner('signup-banner')
  const ref = useCallback(
    (element: HTMLElement | null) => {
      const leave = place(element)
      element?.addEventListener('click', closeOnLeft)
      return () => {
        element?.removeEventListener('click', closeOnLeft)
        leave?.()
      }
    },
    [place],
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
        aria-label={t('close')}
        onClick={signupBanner.close}
      >
        <Icon name="close" size={20} />
      </button>
      <p className={s['text']}>{t('signupBanner')}</p>
      <a className={s['register']} href={site.registerUrl} data-action="register">
        {t('register')}
      </a>
    </section>
  )
}

const notAsking = { get: () => false, subscribe: () => () => undefined }

/** On a phone; not while a panel is open or the visitor is asked for consent: one question at a time. */
export function SignupBanner() {
  const mobile = useMedia(`(max-width: ${breakpoints.mobile}px)`)
  const panel = useStore(panelOpen)
  const consent = useStore(consentInUse)
  const asking = useStore(consent?.asking ?? notAsking)
  return useStore(signupBanner.shown) && mobile && !panel && !asking ? <Banner /> : null
}
