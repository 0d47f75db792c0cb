import { href } from '../../../shared/routes/href'
import { usePage } from '../../view-context'
import { Actions, ButtonLink } from '../ButtonLink'
import { FacetIllustration } from '../pictures/FacetIllustration'
import { useTexts } from '../../use-texts'
import s from './CallToAction.module.css'

/**
 * Sign-up and download links at the end of a page that presents the product. `isMainCall`: the page
 * has no button in the accent color above.
 */
export function CallToAction({ isMainCall = false }: { isMainCall?: boolean }) {
  const t = useTexts('shell')
  const { locale, site } = usePage()
  return (
    <section className={`wrap ${s['outer']}`} aria-labelledby="call-heading">
      <div className={s['box']}>
        <FacetIllustration className={s['illustration']} />
        <h2 id="call-heading">{t('call.title')}</h2>
        <p>{t('call.text')}</p>
        <Actions>
          <ButtonLink
            href={site.registerUrl}
            track="call-register"
            variant={isMainCall ? 'primary' : 'secondary'}
            action="register"
          >
            {t('call.register')}
          </ButtonLink>
          <ButtonLink href={href(locale, 'download')} track="call-download">
            {t('call.download')}
          </ButtonLink>
        </Actions>
      </div>
    </section>
  )
}
