import { useTranslation } from 'react-i18next'
import { absolute } from '../../../shared/routes/href'
import { usePage } from '../../view-context'
import { CopyButton } from './CopyButton'
import { Icon } from '../Icon'
import s from './ShareLinks.module.css'

/** Ways to pass an article on that tell nobody else: the address, and a letter. */
export function ShareLinks({ title }: { title: string }) {
  const { t } = useTranslation('article')
  const { origins, locale, path } = usePage()
  const address = absolute(origins, locale, path)
  return (
    <section className={s['share']} aria-labelledby="share-title">
      <h2 className={s['title']} id="share-title">
        {t('share.title')}
      </h2>
      <a
        className={s['way']}
        href={`mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(address)}`}
      >
        <Icon name="mail" size={18} />
        {t('share.mail')}
      </a>
      <CopyButton
        text={address}
        label={t('share.copy')}
        copied={t('share.copied')}
        className={s['way']}
      >
        {t('share.copy')}
      </CopyButton>
    </section>
  )
}
