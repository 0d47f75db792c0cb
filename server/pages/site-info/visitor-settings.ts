import type { LocaleCode } from '../../../shared/i18n/locales'
import type { VisitorSettings } from '../../../shared/view'
import type { SiteConfig } from '../../content/site-config'
import type { Settings } from '../../env'
import type { PageServices } from '../page-services'
import { statisticsOf } from './statistics'

type ConfiguredServices = Pick<PageServices, 'settings'> & {
  store: Pick<PageServices['store'], 'siteConfig'>
}

/** One-tap needs an identity client in the settings, and must be enabled in site.yaml. */
const isOneTapEnabled = ({ settings, store }: ConfiguredServices): boolean =>
  settings.GOOGLE_CLIENT_ID !== '' && store.siteConfig().one_tap

/**
 * What the backend knows of the sign-in. The embedded API knows everything; a backend may have
 * neither nonces nor a call for its public key (spec 6.6).
 */
function backendSignIn({ API_UPSTREAM, UPSTREAM_SIGNIN, UPSTREAM_PUBLIC_KEY }: Settings): {
  takesNonce: boolean
  publicKey: string | null
} {
  if (!API_UPSTREAM) return { takesNonce: true, publicKey: '' }
  const takesNonce = UPSTREAM_SIGNIN === 'full'
  return { takesNonce, publicKey: UPSTREAM_PUBLIC_KEY || (takesNonce ? '' : null) }
}

/** Settings of the client's deferred services, the same for all visitors of a language. */
export function visitorSettings(
  { settings, store, baseInfo }: Pick<PageServices, 'settings' | 'store' | 'baseInfo'>,
  locale: LocaleCode,
): VisitorSettings {
  const { consent_countries, one_tap_target } = store.siteConfig()
  const { scripts, pixels } = statisticsOf(baseInfo.of(locale), pageOrigins({ settings, store }))
  const { takesNonce, publicKey } = backendSignIn(settings)
  return {
    consentCountries: consent_countries,
    publicKey,
    oneTap: isOneTapEnabled({ settings, store })
      ? {
          clientId: settings.GOOGLE_CLIENT_ID,
          script: settings.GSI_SCRIPT_URL,
          authBase: settings.AUTH_ORIGIN || '/api',
          takesNonce,
          appUrl: settings.APP_URL,
          target: one_tap_target,
        }
      : null,
    chat: { defaultScript: settings.DEFAULT_CHAT_SCRIPT, skipIp: settings.CHAT_SKIP_IP },
    statistics: { ...scripts, pixels },
  }
}

const originsOf = new WeakMap<SiteConfig, SiteConfig['csp']>()

/**
 * Origins that pages may connect to (spec 7.10): those of site.yaml, and those of the sign-in. The
 * same object until the configuration changes.
 */
export function pageOrigins({ settings, store }: ConfiguredServices): SiteConfig['csp'] {
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
