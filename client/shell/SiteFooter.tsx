import { useTranslation } from 'react-i18next'
import { switchLocale, type Page } from '../../shared/routes/availability'
import { href } from '../../shared/routes/href'
import { alternativeIds } from '../../shared/routes/nav'
import { Logo } from '../components/Logo'
import { usePage } from '../view-context'
import { LanguageLinks } from './LanguageMenu'
import { MenuLink } from './Menu'
import { consentStore } from './service-stores'
import s from './SiteFooter.module.css'
import { useMenuLinks, type MenuEntry } from './use-menu-links'

export function SiteFooter() {
  const { t } = useTranslation()
  return (
    <footer className={s['footer']}>
      <div className="wrap">
        <LinkColumns />
        <nav className={s['languages']} aria-labelledby="footer-languages">
          <h2 id="footer-languages" className={s['title']}>
            {t('languages')}
          </h2>
          <LanguageLinks track="footer-language" />
        </nav>
        <div className={s['end']}>
          <p className={s['brand']}>
            <Logo />
            <span>{t('copyright')}</span>
          </p>
          <p className={s['note']}>
            {t('footerNote')}
            <CompanyLine />
          </p>
          <button
            type="button"
            className={s['choice']}
            data-action="consent"
            data-track="footer-consent"
            onClick={() => consentStore.get()?.showBanner()}
          >
            {t('consent.change')}
          </button>
          <SocialLinks />
        </div>
      </div>
    </footer>
  )
}

/** Name and address of the company, where the operator has set them. */
function CompanyLine() {
  const { name, address } = usePage().site.company
  const line = [name, address].filter((part) => part !== '').join(', ')
  return line && <span className={s['company']}>{line}</span>
}

function LinkColumns() {
  const { t } = useTranslation()
  const { locale } = usePage()
  const linksOf = useMenuLinks()
  /** A link, if the language offers the page. */
  const link = (page: Page, name: string, text: string): MenuEntry[] => {
    const offered = switchLocale(page, locale)
    if (!offered) return []
    const path = href(locale, offered.route, offered.params)
    return [{ key: path, name, href: path, text }]
  }
  const comparisons = alternativeIds.flatMap((id) =>
    link({ route: 'alternative', params: { id } }, id, t(`alternatives.${id}`)),
  )
  const legal = (['privacy', 'terms', 'contact'] as const).flatMap((html) =>
    link({ route: 'single', params: { html } }, html, t(html)),
  )
  return (
    <div className={s['groups']}>
      <LinkColumn id="features" title={t('features')} items={linksOf('features')} />
      <LinkColumn id="resources" title={t('resources')} items={linksOf('resources')} />
      <LinkColumn id="compare" title={t('compare')} items={comparisons} />
      <LinkColumn id="company" title={t('company')} items={linksOf('company')} />
      <LinkColumn id="legal" title={t('legal')} items={legal} />
    </div>
  )
}

type LinkColumnProps = { id: string; title: string; items: readonly MenuEntry[] }

function LinkColumn({ id, title, items }: LinkColumnProps) {
  return (
    <nav aria-labelledby={`footer-${id}`}>
      <h2 id={`footer-${id}`} className={s['title']}>
        {title}
      </h2>
      <ul>
        {items.map((item) => (
          <li key={item.href}>
            <MenuLink href={item.href} text={item.text} track={`footer-${item.name}`} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

function SocialLinks() {
  const { t } = useTranslation()
  const { social } = usePage().site
  if (social.length === 0) return null
  return (
    <ul className={s['social']} aria-label={t('social')}>
      {social.map(({ name, url }) => (
        <li key={url}>
          <a data-track="footer-social" href={url} rel="me noopener">
            {name}
          </a>
        </li>
      ))}
    </ul>
  )
}
