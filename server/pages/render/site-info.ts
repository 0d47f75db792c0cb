import type { PageServices } from '../page-services'
import { defaultCurrency } from '../../../shared/constants'
import { locales, type LocaleCode } from '../../../shared/i18n/locales'
import { accountLink } from '../../../shared/urls'
import type { SiteInfo } from '../../../shared/view'
import type { BaseInfo } from '../../content/store/read-base-info'
import type { SiteConfig } from '../../content/site-config'
import { visitorSettings } from './visitor-settings'

/** Made once for a language, by its base info: both that and the configuration are the same objects until they change. */
const made = new WeakMap<BaseInfo, { config: SiteConfig; info: SiteInfo }>()

/** What an operator configures and every page of a language shows. */
export function siteInfo(
  site: Pick<PageServices, 'settings' | 'store' | 'baseInfo'>,
  locale: LocaleCode,
): SiteInfo {
  const config = site.store.site()
  const base = site.baseInfo.of(locale)
  const known = made.get(base)
  if (known?.config === config) return known.info
  const { language } = locales[locale]
  const info: SiteInfo = {
    brand: config.brand,
    currency: config.currencies[locale] ?? defaultCurrency,
    registerUrl: accountLink(base.register_url, language),
    loginUrl: accountLink(base.login_url, language),
    contact: config.contact,
    social: config.social,
    preSales: config.pre_sales,
    cookieDomain: site.settings.COOKIE_DOMAIN,
    visitor: visitorSettings(site, locale),
  }
  made.set(base, { config, info })
  return info
}
