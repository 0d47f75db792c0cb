import { locales } from '../../shared/i18n/locales'
import type { TrackKey } from '../../shared/tracking-keys'
import { Icon } from '../components/Icon'
import { usePage } from '../view-context'
import { useTexts } from '../use-texts'
import s from './LanguageMenu.module.css'

/** The same page in each language, or that language's home page (spec 4.7). */
export function LanguageLinks({ track }: { track: TrackKey }) {
  const { languages, locale } = usePage()
  return (
    <ul className={s['links']}>
      {languages.map(({ code, href }) => (
        <li key={code}>
          <a
            data-track={track}
            href={href}
            hrefLang={locales[code].language}
            lang={locales[code].language}
            data-locale={code}
            aria-current={code === locale ? 'true' : undefined}
          >
            {locales[code].name}
          </a>
        </li>
      ))}
    </ul>
  )
}

export function LanguageMenu() {
  const t = useTexts('shell')
  const { locale } = usePage()
  const { name } = locales[locale]
  return (
    <details className={s['menu']} data-shell="language-menu" name="menu">
      <summary className={s['title']} data-track="header-languages">
        <Icon name="language" size={22} />
        <span className="sr-only">{t('languageMenu', { name })}</span>
        <span className={s['name']} aria-hidden="true">
          {name}
        </span>
      </summary>
      <div className={s['panel']}>
        <LanguageLinks track="header-language" />
      </div>
    </details>
  )
}
