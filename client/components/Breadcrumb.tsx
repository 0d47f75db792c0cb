import { useTranslation } from 'react-i18next'
import { href } from '../../shared/routes/href'
import { usePage } from '../view-context'
import { EllipsisText } from './EllipsisText'
import s from './Breadcrumb.module.css'

export type Crumb = { href: string; text: string }

/** The way from the home page to this one. */
export function Breadcrumb({ crumbs, current }: { crumbs: readonly Crumb[]; current: string }) {
  const { t } = useTranslation()
  const { locale } = usePage()
  return (
    <nav className={s['breadcrumb']} aria-label={t('breadcrumb')}>
      <ol>
        {[{ href: href(locale, 'home'), text: t('NAVBAR_HOME') }, ...crumbs].map((crumb) => (
          <li key={crumb.href}>
            <a href={crumb.href}>{crumb.text}</a>
          </li>
        ))}
        <li className={s['current']} aria-current="page">
          <EllipsisText text={current} />
        </li>
      </ol>
    </nav>
  )
}
