import { useTranslation } from 'react-i18next'
import { glueWords } from '../../../shared/i18n/insert-no-break-spaces'
import type { Landing } from '../../../shared/page-data'
import { href } from '../../../shared/routes/href'
import { iconOr } from '../../icons/names'
import { usePage } from '../../view-context'
import { Breadcrumb, type Crumb } from '../Breadcrumb'
import { Actions, ButtonLink } from '../ButtonLink'
import { FallbackNotice } from '../article/FallbackNotice'
import { FeaturePicture } from '../pictures/FeaturePicture'
import { langOf } from '../article/ForeignText'
import { Icon } from '../Icon'
import s from './LandingHero.module.css'

/** What it is about, for whom, the one call, and the product shown. */
export function LandingHero({ landing, crumbs }: { landing: Landing; crumbs: readonly Crumb[] }) {
  const { t } = useTranslation('landing')
  const { t: shell } = useTranslation()
  const { locale, site } = usePage()
  const lang = langOf(landing.foreign)
  return (
    <div className={`wrap ${s['hero']}`}>
      <div className={s['words']}>
        <Breadcrumb crumbs={crumbs} current={landing.title} />
        {landing.foreign && <FallbackNotice foreign={landing.foreign} />}
        <span className={s['icon']}>
          <Icon name={iconOr(landing.icon)} size={28} />
        </span>
        <h1 className={s['title']} lang={lang}>
          {glueWords(landing.title)}
        </h1>
        <p className={s['lead']} lang={lang}>
          {glueWords(landing.lead)}
        </p>
        <Actions>
          <ButtonLink href={site.registerUrl} look="quiet" action="register">
            {shell('register')}
          </ButtonLink>
          <ButtonLink href={href(locale, 'pricing')}>{t('pricing')}</ButtonLink>
        </Actions>
      </div>
      <div className={s['picture']}>
        <FeaturePicture id={landing.id} />
      </div>
    </div>
  )
}
