import { switchLocale, type Page } from '../../shared/routes/availability'
import { href } from '../../shared/routes/href'
import { alternativeIds } from '../../shared/routes/nav'
import { usePage } from '../view-context'
import { MenuLink } from './MenuLink'
import s from './SiteFooter.module.css'
import { useMenuLinks, type MenuEntry } from './use-menu-links'
import { useTexts } from '../use-texts'

/** The columns of links of the footer. Only the server renders them (`SiteMenus.tsx`). */
export function FooterColumns() {
  const t = useTexts('menus')
  const shell = useTexts('shell')
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
  const legal = [
    { html: 'privacy', text: shell('privacy') },
    { html: 'terms', text: t('terms') },
    { html: 'contact', text: t('contact') },
  ].flatMap(({ html, text }) => link({ route: 'single', params: { html } }, html, text))
  return (
    <>
      <Column id="features" title={t('features')} items={linksOf('features')} />
      <Column id="resources" title={t('resources')} items={linksOf('resources')} />
      <Column id="compare" title={t('compare')} items={comparisons} />
      <Column id="company" title={t('company')} items={linksOf('company')} />
      <Column id="legal" title={t('legal')} items={legal} />
    </>
  )
}

type ColumnProps = { id: string; title: string; items: readonly MenuEntry[] }

const Column = ({ id, title, items }: ColumnProps) => (
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
