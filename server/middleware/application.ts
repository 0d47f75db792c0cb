import type { RequestHandler } from 'express'
import {
  hostLanguages,
  isLocaleCode,
  type HostName,
  type LocaleCode,
} from '../../shared/i18n/locales'
import { absoluteUrl, href } from '../../shared/routes/href'
import type { CheckRateLimit } from '../api/define-call'
import type { ContentStore } from '../content/store/store'
import type { Database } from '../db/database'
import { redeemToken, type User } from '../db/sign-in-store'
import type { Settings } from '../env'
import { applicationPolicy, renderApplicationPage } from '../pages/render/application-page'
import { applicationTexts, isApplicationPath } from '../pages/render/application-texts'
import { clientAddress } from '../request/client-address'
import { splitTarget } from '../url/decode-path'
import type { Hosts } from '../url/hosts'
import { localeFromParam } from '../url/negotiate-locale'

type Services = {
  settings: Settings
  checkRateLimit: CheckRateLimit
  database: Database
  store: ContentStore
  hosts: Hosts
}

/**
 * The embedded application (spec 7.12): `/app` redeems the one-time token of a sign-in and shows
 * once who signed in; the login and register pages explain how to do that. With API_UPSTREAM the
 * operator has another application, and these pages do not exist.
 */
export function application(services: Services): RequestHandler {
  const { settings, checkRateLimit, database, store, hosts } = services
  return async function applicationRow(request, response, next) {
    const { path } = request
    if (settings.API_UPSTREAM || !isApplicationPath(path)) return void next()
    const query = new URLSearchParams(splitTarget(request.originalUrl).query)
    const token = path === '/app' ? query.get('cpl') : null
    let user: User | null = null
    // HEAD does not use the token up.
    if (token && request.method === 'GET') {
      await checkRateLimit({ rateLimit: 'signin' }, clientAddress(request, settings.TRUST_PROXY))
      user = await redeemToken(database, token)
      if (!user) response.status(401)
    }
    const host = hosts.hostNameOf(request.headers.host ?? '')
    const locale = chooseLocale(user, query.get('lang'), host)
    const hasToken = Boolean(token)
    const referralCode =
      user?.invite_code || (/^[\w-]{1,64}$/.exec(query.get('ref') ?? '')?.[0] ?? '')
    const texts = store.texts(locale, 'app')
    const { title, lines, back } = applicationTexts(texts, path, { user, hasToken, referralCode })

    // The token must not leave in a referrer, and no cache may store the page.
    response.setHeader('Cache-Control', 'private, no-store')
    response.setHeader('Referrer-Policy', 'no-referrer')
    response.setHeader('Content-Security-Policy', applicationPolicy)
    const { brand } = store.siteConfig()
    const homeUrl = absoluteUrl(hosts.origins, locale, href(locale, 'home'))
    response
      .type('html')
      .send(
        renderApplicationPage({ locale, brand, title, lines, back: { href: homeUrl, text: back } }),
      )
  }
}

/** The language of the account, else that of the `lang` parameter, else that of the host. */
function chooseLocale(user: User | null, lang: string | null, host: HostName): LocaleCode {
  if (user && isLocaleCode(user.language)) return user.language
  return localeFromParam(lang ?? '') ?? hostLanguages[host]
}
