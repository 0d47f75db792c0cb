import { useTranslation } from 'react-i18next'
import { switchLocale, type Page } from '../../shared/routes/availability'
import { href } from '../../shared/routes/href'
import { alternativeIds, navIn } from '../../shared/routes/nav'
import type { RouteId } from '../../shared/routes/table'
import { Logo } from '../components/Logo'
import { usePage } from '../view-context'
import { consentInUse } from './in-use'
import { LanguageLinks } from './LanguageMenu'
import { MenuLink } from './Menu'
import { menuText } from './menu-text'
import s from './SiteFooter.module.css'

type Entry = { href: string; text: string }

function Group({ id, title, items }: { id: string; title: string; items: readonly Entry[] }) {
  return (
    <nav aria-labelledby={`footer-${id}`}>
      <h2 id={`footer-${id}`} className={s['title']}>
        {title}
      </h2>
      <ul>
        {items.map((item) => (
          <li key={item.href}>
            <MenuLink href={item.href} text={item.text} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

export function SiteFooter() {
  const { t } = useTranslation()
  const { locale, site } = usePage()
  /** A link, where the language offers the page. */
  const link = (page: Page, text: string): Entry[] => {
    const offered = switchLocale(page, locale)
    return offered ? [{ href: href(locale, offered.route, offered.params), text }] : []
  }
  const route = (id: RouteId, text: string): Entry[] => link({ route: id, params: {} }, text)
  const single = (html: string, text: string): Entry[] =>
    link({ route: 'single', params: { html } }, text)
  const general = navIn('general', locale, site.preSales ? [] : ['pre-sales']).map((entry) => ({
    key: entry.key,
    href: entry.href,
    text: menuText(t, entry.key),
  }))
  const company: readonly string[] = ['NAVBAR_ABOUT', 'NAVBAR_PARTNER', 'NAVBAR_PRE_SALES']
  return (
    <footer className={s['footer']}>
      <div className="wrap">
        <div className={s['groups']}>
          <Group
            id="features"
            title={t('features')}
            items={navIn('features', locale, site.preSales ? [] : ['pre-sales']).map((entry) => ({
              href: entry.href,
              text: menuText(t, entry.key),
            }))}
          />
          <Group
            id="resources"
            title={t('resources')}
            items={general.filter((entry) => !company.includes(entry.key))}
          />
          <Group
            id="compare"
            title={t('compare')}
            items={alternativeIds.flatMap((id) =>
              link({ route: 'alternative', params: { id } }, t(`alternatives.${id}`)),
            )}
          />
          <Group
            id="company"
            title={t('company')}
            items={[
              ...general.filter((entry) => company.includes(entry.key)),
              ...route('partner-plan', t('NAVBAR_PARTNER_PLAN')),
              ...route('referral-program', t('NAVBAR_REFERRAL_PROGRAM')),
              ...route('faq', t('NAVBAR_FAQ')),
              ...route('links', t('NAVBAR_LINKS')),
            ]}
          />
          <Group
            id="legal"
            title={t('legal')}
            items={[
              ...single('privacy', t('privacy')),
              ...single('terms', t('terms')),
              ...single('contact', t('contact')),
            ]}
          />
        </div>
        <nav className={s['languages']} aria-labelledby="footer-languages">
          <h2 id="footer-languages" className={s['title']}>
            {t('languages')}
          </h2>
          <LanguageLinks />
        </nav>
        <div className={s['end']}>
          <p className={s['brand']}>
            <Logo />
            <span>{t('copyright')}</span>
          </p>
          <p className={s['note']}>{t('footerNote')}</p>
          <button
            type="button"
            className={s['choice']}
            data-action="consent"
            onClick={() => consentInUse.get()?.ask()}
          >
            {t('consent.change')}
          </button>
          {site.social.length > 0 && (
            <ul className={s['social']} aria-label={t('social')}>
              {site.social.map((place) => (
                <li key={place.url}>
                  <a href={place.url} rel="me noopener">
                    {place.name}
                  </a>
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
    </footer>
  )
}
