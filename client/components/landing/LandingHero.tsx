import type { Landing } from '../../../shared/page-data'
import { href } from '../../../shared/routes/href'
import { iconOr } from '../../icons/names'
import { usePage } from '../../view-context'
import { Breadcrumb } from '../Breadcrumb'
import { Actions, ButtonLink } from '../ButtonLink'
import { FallbackNotice } from '../article/FallbackNotice'
import { FeaturePicture } from '../pictures/FeaturePicture'
import { Icon } from '../Icon'
import { Island } from '../Island'
import { useTexts } from '../../use-texts'
import s from './LandingHero.module.css'

/** Top of a landing page: title, introduction, call to action and a drawing of the feature. */
export function LandingHero({ landing }: { landing: Landing }) {
  const t = useTexts('landing')
  const shell = useTexts('shell')
  const { locale, site } = usePage()
  const lang = landing.foreign?.lang
  return (
    <div className={`wrap ${s['hero']}`}>
      <div className={s['text']}>
        <Breadcrumb current={landing.title} lang={lang} />
        {landing.foreign && <FallbackNotice foreign={landing.foreign} />}
        <span className={s['icon']}>
          <Icon name={iconOr(landing.icon)} size={28} />
        </span>
        <h1 className={s['title']} lang={lang}>
          {landing.title}
        </h1>
        <p className={s['lead']} lang={lang}>
          {landing.lead}
        </p>
        <Actions>
          <ButtonLink
            href={site.registerUrl}
            track="hero-register"
            variant="primary"
            action="register"
          >
            {shell('register')}
          </ButtonLink>
          <ButtonLink href={href(locale, 'pricing')} track="hero-pricing">
            {t('pricing')}
          </ButtonLink>
        </Actions>
      </div>
      <div className={s['illustration']}>
        {landing.picture ? <Island island={landing.picture} /> : <FeaturePicture id={landing.id} />}
      </div>
    </div>
  )
}
