import type { LocaleCode } from '../../../shared/i18n/locales'
import type { VisitorSettings } from '../../../shared/view'
import type { SiteConfig } from '../../content/site-config'
import type { PageServices } from '../page-services'
import { scriptAddresses } from './statistics-scripts'

/** One-tap needs an identity client in the settings, and must be enabled in site.yaml. */
const isOneTapEnabled = ({ settings, store }: Pick<PageServices, 'settings' | 'store'>): boolean =>
  settings.GOOGLE_CLIENT_ID !== '' && store.siteConfig().one_tap

/** Settings of the client in the page's data block, the same for all visitors of a language. */
export function visitorSettings(
  { settings, store, baseInfo }: Pick<PageServices, 'settings' | 'store' | 'baseInfo'>,
  locale: LocaleCode,
): VisitorSettings {
  const { consent_countries, one_tap_target } = store.siteConfig()
  const { statistical_title, statistical_body } = baseInfo.of(locale)
  return {
    consentCountries: consent_countries,
    oneTap: isOneTapEnabled({ settings, store })
      ? {
          clientId: settings.GOOGLE_CLIENT_ID,
          script: settings.GSI_SCRIPT_URL,
          authBase: settings.AUTH_ORIGIN || '/api',
          target: one_tap_target,
        }
      : null,
    chat: { defaultScript: settings.DEFAULT_CHAT_SCRIPT, skipIp: settings.CHAT_SKIP_IP },
    statistics: {
      head: scriptAddresses(statistical_title),
      body: scriptAddresses(statistical_body),
    },
  }
}

const originsOf = new WeakMap<SiteConfig, SiteConfig['csp']>()

/**
 * Origins that pages may connect to (spec 7.10): those of site.yaml, and those of the sign-in. The
 * same object until the configuration changes.
 */
export function pageOrigins({
  settings,
  store,
}: Pick<PageServices, 'settings' | 'store'>): SiteConfig['csp'] {
  const config = store.siteConfig()
  const known = originsOf.get(config)
  if (known) return known
  const { csp } = config
  const identity = isOneTapEnabled({ settings, store })
    ? [new URL(settings.GSI_SCRIPT_URL).origin]
    : []
  const auth = settings.AUTH_ORIGIN ? [settings.AUTH_ORIGIN] : []
  const origins = {
    connect: [...csp.connect, ...auth, ...identity],
    img: csp.img,
    frame: [...csp.frame, ...identity],
    style: [...csp.style, ...identity],
  }
  originsOf.set(config, origins)
  return origins
}
