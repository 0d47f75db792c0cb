import { useTranslation } from 'react-i18next'
import { switchLocale } from '../../shared/routes/availability'
import { href } from '../../shared/routes/href'
import type { Params } from '../../shared/routes/match'
import type { RouteId } from '../../shared/routes/table'
import { locales } from '../../shared/i18n/locales'
import { ErrorState } from '../components/ErrorState'
import { ForeignText } from '../components/article/ForeignText'
import { searchOpen } from '../search/search-open'
import { Icon } from '../components/Icon'
import type { PageProps } from '../pages'
import { usePage } from '../view-context'
import s from './Error404.module.css'

export function Page({ data }: PageProps<'error'>) {
  const { t } = useTranslation('errors')
  const { locale } = usePage()
  const link = (route: RouteId, text: string, params: Params = {}) =>
    switchLocale({ route, params }, locale) ? [{ href: href(locale, route, params), text }] : []
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
        {data.elsewhere && (
          <nav aria-labelledby="elsewhere" className={s['block']}>
            <h2 id="elsewhere">{t('elsewhere')}</h2>
            <ul className={s['languages']}>
              {data.elsewhere.map(({ code, href: address }) => (
                <li key={code}>
                  <a
                    href={address}
                    hrefLang={locales[code].language}
                    lang={locales[code].language}
                    data-locale={code}
                  >
                    {locales[code].name}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
        {data.nearest && (
          <nav aria-labelledby="nearest" className={s['block']} data-shell="nearest">
            <h2 id="nearest">{t('nearest')}</h2>
            <ul className={s['links']}>
              {data.nearest.map((item) => (
                <li key={item.href}>
                  <a href={item.href}>
                    <ForeignText text={item.title} foreign={item.foreign} mark={item.mark} />
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
        <button
          type="button"
          className={s['search']}
          data-action="search"
          onClick={() => searchOpen.set(true)}
        >
          <Icon name="search" size={20} />
          {t('search')}
        </button>
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
