import { useTranslation } from 'react-i18next'
import { href } from '../../shared/routes/href'
import { Icon } from '../components/Icon'
import { iconNames } from '../icons/names'
import { usePage } from '../view-context'
import s from './Icons.module.css'

/** The sprite, laid out for authors; without the site's shell. */
export function Page() {
  const { t } = useTranslation('icons')
  const { locale } = usePage()
  return (
    <main id="main" className={`wrap ${s['page']}`}>
      <p>
        <a href={href(locale, 'home')}>{t('home')}</a>
      </p>
      <h1>{t('title')}</h1>
      <p className={s['intro']}>{t('intro')}</p>
      <table className={s['table']}>
        <caption className="sr-only">{t('caption')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('symbol')}</th>
            <th scope="col">{t('name')}</th>
            <th scope="col">{t('viewBox')}</th>
          </tr>
        </thead>
        <tbody>
          {iconNames.map((name) => (
            <tr key={name} id={`icon-${name}`}>
              <td>
                <Icon name={name} size={32} />
              </td>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>0 0 24 24</td>
            </tr>
          ))}
        </tbody>
      </table>
    </main>
  )
}
