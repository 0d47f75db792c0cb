import { useTranslation } from 'react-i18next'
import { locales } from '../../shared/i18n/locales'
import { switchLocale } from '../../shared/routes/availability'
import { href } from '../../shared/routes/href'
import type { Params } from '../../shared/routes/match'
import type { RouteId } from '../../shared/routes/table'
import { ErrorState } from '../components/ErrorState'
import { Icon } from '../components/Icon'
import { TitleWithLanguage } from '../components/TitleWithLanguage'
import type { PageProps } from '../pages'
import { searchOpen } from '../search/search-open'
import { usePage } from '../view-context'
import s from './Error404.module.css'

type Data = PageProps<'error'>['data']

/** The same page in the languages in which it exists. */
function OtherLanguages({ pages }: { pages: NonNullable<Data['elsewhere']> }) {
  const { t } = useTranslation('errors')
  return (
    <nav aria-labelledby="elsewhere" className={s['block']}>
      <h2 id="elsewhere">{t('elsewhere')}</h2>
      <ul className={s['languages']}>
        {pages.map((page) => {
          const { language, name } = locales[page.code]
          return (
            <li key={page.code}>
              <a href={page.href} hrefLang={language} lang={language} data-locale={page.code}>
                {name}
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

/** Pages with a similar URL. */
function SimilarPages({ pages }: { pages: NonNullable<Data['nearest']> }) {
  const { t } = useTranslation('errors')
  return (
    <nav aria-labelledby="nearest" className={s['block']} data-shell="nearest">
      <h2 id="nearest">{t('nearest')}</h2>
      <ul className={s['links']}>
        {pages.map((page) => (
          <li key={page.href}>
            <a href={page.href}>
              <TitleWithLanguage text={page.title} foreign={page.foreign} mark={page.mark} />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Links to main pages that exist in the language. */
function Suggestions() {
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
    <nav aria-label={t('suggestions')}>
      <ul className={s['links']}>
        {suggestions.map((suggestion) => (
          <li key={suggestion.href}>
            <a href={suggestion.href}>{suggestion.text}</a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

export function Page({ data }: PageProps<'error'>) {
  const { t } = useTranslation('errors')
  return (
    <div className="wrap">
      <ErrorState title={t('404title')} message={data.message}>
        {data.elsewhere && <OtherLanguages pages={data.elsewhere} />}
        {data.nearest && <SimilarPages pages={data.nearest} />}
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
        <Suggestions />
      </ErrorState>
    </div>
  )
}
