import type { Organization } from '../../shared/view'
import { Logo } from '../components/Logo'
import { useTexts } from '../use-texts'
import s from './SiteFooter.module.css'

/**
 * The last part of the footer: copyright, note on use, company and social networks. It is rendered
 * on the server only; the browser keeps the HTML (`SiteMenus.tsx`).
 */
export function FooterEnd({ organization }: { organization: Organization }) {
  const t = useTexts('menus')
  const { company, social } = organization
  const companyLine = [company.name, company.address].filter((part) => part !== '').join(', ')
  return (
    <>
      <p className={s['brand']}>
        <Logo />
        <span>{t('copyright')}</span>
      </p>
      <p className={s['note']}>
        {t('footerNote')}
        {companyLine && <span className={s['company']}>{companyLine}</span>}
      </p>
      {social.length > 0 && (
        <ul className={s['social']} aria-label={t('social')}>
          {social.map(({ name, url }) => (
            <li key={url}>
              <a data-track="footer-social" href={url} rel="me noopener">
                {name}
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
