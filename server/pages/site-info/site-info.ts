import { accountLink } from '../../../shared/account-link'
import { defaultCurrency } from '../../../shared/constants'
import { locales, type LocaleCode } from '../../../shared/i18n/locales'
import type { Organization, SiteInfo } from '../../../shared/view'
import { chatIn, type SiteConfig } from '../../content/site-config'
import type { BaseInfo } from '../../content/store/read-base-info'
import type { PageServices } from '../page-services'

/** Cached by base info: it and the configuration are the same objects until they change. */
const cached = new WeakMap<BaseInfo, { config: SiteConfig; info: SiteInfo }>()

/** The configuration that every page of a language shows. */
export function siteInfo(
  services: Pick<PageServices, 'settings' | 'store' | 'baseInfo'>,
  locale: LocaleCode,
): SiteInfo {
  const config = services.store.siteConfig()
  const base = services.baseInfo.of(locale)
  const known = cached.get(base)
  if (known?.config === config) return known.info
  const { language } = locales[locale]
  const info: SiteInfo = {
    brand: config.brand,
    currency: config.currencies[locale] ?? defaultCurrency,
    registerUrl: accountLink(base.register_url, language),
    loginUrl: accountLink(base.login_url, language),
    contact: { ...config.contact, support: config.contact.support || config.contact.email },
    preSales: config.pre_sales,
    // A backend tells only when the browser asks it.
    chatExpected:
      Boolean(services.settings.API_UPSTREAM || services.settings.DEFAULT_CHAT_SCRIPT) ||
      chatIn(config.chat, locale).script !== '',
    cookieDomain: services.settings.COOKIE_DOMAIN,
  }
  cached.set(base, { config, info })
  return info
}

export const organizationOf = ({
  company: { name, address },
  social,
}: SiteConfig): Organization => ({
  company: { name, address },
  social,
})
