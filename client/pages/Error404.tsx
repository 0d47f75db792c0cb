import { locales } from '../../shared/i18n/locales'
import { switchLocale } from '../../shared/routes/availability'
import { href } from '../../shared/routes/href'
import type { Params } from '../../shared/routes/path-of'
import type { RouteId } from '../../shared/routes/table'
import { ErrorState } from '../components/ErrorState'
import { Icon } from '../components/Icon'
import { Island } from '../components/Island'
import { Logo } from '../components/Logo'
import similar from '../islands/SimilarPages.module.css'
import type { PageProps } from '../pages'
import { LazySearchDialog } from '../search/LazySearchDialog'
import { searchOpen } from '../search/search-open'
import { showAlert } from '../shell/toasts'
import { usePage } from '../view-context'
import { useTexts } from '../use-texts'
import s from './Error404.module.css'

type Data = PageProps<'error'>['data']

/** The same page in the languages in which it exists. */
function OtherLanguages({ pages }: { pages: NonNullable<Data['elsewhere']> }) {
  const t = useTexts('errors')
  return (
    <nav aria-labelledby="elsewhere" className={s['block']}>
      <h2 id="elsewhere">{t('elsewhere')}</h2>
      <ul className={s['languages']}>
        {pages.map((page) => {
          const { language, name } = locales[page.code]
          return (
            <li key={page.code}>
              <a
                data-track="error-language"
                href={page.href}
                hrefLang={language}
                lang={language}
                data-locale={page.code}
              >
                {name}
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

/** Links to main pages that exist in the language. */
function Suggestions() {
  const t = useTexts('errors')
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
      <ul className={similar['links']}>
        {suggestions.map((suggestion) => (
          <li key={suggestion.href}>
            <a data-track="error-page" href={suggestion.href}>
              {suggestion.text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The only part of the header that this page keeps. */
function BrandLink() {
  const t = useTexts('shell')
  const { locale, site } = usePage()
  return (
    <a
      className={s['brand']}
      data-track="header-home"
      href={href(locale, 'home')}
      aria-label={t('homeLink')}
    >
      <Logo />
      {site.brand}
    </a>
  )
}

export function Page({ data }: PageProps<'error'>) {
  const t = useTexts('errors')
  const { locale } = usePage()
  // The payload's message is in English, and tells two cases apart (spec 5.7).
  const message = locale === 'en' ? data.message : t('404message', { path: data.path })
  return (
    <div className={`wrap ${s['page']} ${data.nearest ? s['wide'] : ''}`}>
      <BrandLink />
      <div className={data.nearest && s['columns']}>
        <ErrorState title={t('404title')} message={message}>
          {data.elsewhere && <OtherLanguages pages={data.elsewhere} />}
          <button
            type="button"
            className={s['search']}
            data-action="search"
            data-track="error-search"
            onClick={() => searchOpen.set(true)}
          >
            <Icon name="search" size={20} />
            {t('search')}
          </button>
          <p className={s['text']}>{t('404text')}</p>
          <Suggestions />
        </ErrorState>
        {data.nearest && (
          <div className={s['nearest']}>
            <Island island={data.nearest} pending={null} />
          </div>
        )}
      </div>
      <LazySearchDialog alert={showAlert} />
    </div>
  )
}
