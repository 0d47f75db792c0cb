import { useTranslation } from 'react-i18next'
import { locales, type LocaleCode } from '../../../shared/i18n/locales'
import { usePage } from '../../view-context'
import { Icon } from '../Icon'
import s from './FallbackNotice.module.css'

/** Says in the page's language that the text below is in another language (spec 5.4). */
export function FallbackNotice({ foreign }: { foreign: LocaleCode }) {
  const { t } = useTranslation()
  const { locale } = usePage()
  return (
    <p className={s['notice']} data-shell="fallback-notice">
      <Icon name="language" size={20} />
      <span>
        {t('fallbackNotice', { language: locales[locale].name, source: locales[foreign].name })}
      </span>
    </p>
  )
}
