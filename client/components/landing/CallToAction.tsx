import { useTranslation } from 'react-i18next'
import { href } from '../../../shared/routes/href'
import { usePage } from '../../view-context'
import { Actions, ButtonLink } from '../ButtonLink'
import { FacetTiles } from '../pictures/FacetTiles'
import s from './CallToAction.module.css'

/** The last word of a page that presents the product. */
export function CallToAction() {
  const { t } = useTranslation()
  const { locale, site } = usePage()
  return (
    <section className={`wrap ${s['outer']}`} aria-labelledby="call-heading">
      <div className={s['call']}>
        <FacetTiles className={s['tiles']} />
        <h2 id="call-heading">{t('call.title')}</h2>
        <p>{t('call.text')}</p>
        <Actions>
          <ButtonLink href={site.registerUrl} look="main" action="register">
            {t('call.register')}
          </ButtonLink>
          <ButtonLink href={href(locale, 'download')}>{t('call.download')}</ButtonLink>
        </Actions>
      </div>
    </section>
  )
}
