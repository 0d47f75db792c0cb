import type { ForeignText } from '../../../shared/page-data'
import { Icon } from '../Icon'
import { useTexts } from '../../use-texts'
import s from './FallbackNotice.module.css'

/**
 * Says in the page's language that the text below is in another language, or was converted from
 * another script (spec 5.4).
 */
export function FallbackNotice({ foreign }: { foreign: ForeignText }) {
  const t = useTexts('shell')
  const source = foreign.name
  return (
    <p className={s['notice']} data-shell="fallback-notice">
      <Icon name="language" size={20} />
      <span>
        {foreign.converted ? t('convertedNotice', { source }) : t('fallbackNotice', { source })}
      </span>
    </p>
  )
}
