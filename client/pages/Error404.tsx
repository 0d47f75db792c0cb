import { useTranslation } from 'react-i18next'
import { switchLocale } from '../../shared/routes/availability'
import { href } from '../../shared/routes/href'
import type { Params } from '../../shared/routes/match'
import type { RouteId } from '../../shared/routes/table'
import { ErrorState } from '../components/ErrorState'
import type { PageProps } from '../pages'
import { usePage } from '../view-context'
import s from './Error404.module.css'

export function Page({ data }: PageProps<'error'>) {
  const { t } = useTranslation('errors')
  const { locale } = usePage()
  const link = (route: RouteId, text: string, params: Params = {}) => (switchLocale({ route, params }, locale) ? [{ href: href(locale, route, params), text }] : [])
  const suggestions = [
    ...link('home', t('toHome')),
    ...link('doc', t('toDocs'), { id: 'profiles' }),
    ...link('helps', t('toHelps')),
    ...link('pricing', t('toPricing')),
    ...link('download', t('toDownload')),
    ...link('links', t('toLinks')),
  ]
  return (
    <div className="wrap">
      <ErrorState title={t('404title')} message={data.message}>
        <p className={s['text']}>{t('404text')}</p>
        <nav aria-label={t('suggestions')}>
          <ul className={s['links']}>
            {suggestions.map((suggestion) => (
              <li key={suggestion.href}>
                <a href={suggestion.href}>{suggestion.text}</a>
              </li>
            ))}
          </ul>
        </nav>
      </ErrorState>
    </div>
  )
}
