import { useTranslation } from 'react-i18next'
import { switchLocale } from '../../shared/routes/availability'
import { href } from '../../shared/routes/href'
import type { Params } from '../../shared/routes/match'
import type { RouteId } from '../../shared/routes/table'
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
    <div className={`wrap ${s['page']}`}>
      <svg className={s['picture']} viewBox="0 0 160 130" aria-hidden="true">
        <path d="M6 6h72l22 22v62H6z" fill="var(--tile-1)" />
        <path d="M30 24h72l22 22v62H30z" fill="var(--tile-2)" />
        <path d="M58 42h72l22 22v62H58z" fill="none" stroke="var(--line-strong)" strokeWidth="2" strokeDasharray="6 6" />
      </svg>
      <h1>{t('404title')}</h1>
      <p className={s['message']}>{data.message}</p>
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
    </div>
  )
}
