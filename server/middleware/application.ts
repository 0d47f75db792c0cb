import type { ContentStore } from '../content/store/store'
import type { Database } from '../db/database'
import type { RateLimits } from '../api/api-call'
import type { Settings } from '../env'
import type { Hosts } from '../url/hosts'
import type { RequestHandler } from 'express'
import { hostLanguages, isLocaleCode, type LocaleCode } from '../../shared/i18n/locales'
import { absolute, href } from '../../shared/routes/href'
import { clientAddress } from '../request/client-address'
import { redeemToken, type User } from '../db/sign-in-store'
import { applicationPolicy, renderApplicationPage } from '../pages/render/application-page'
import { splitTarget } from '../url/decode-path'
import { localeOfCall } from '../url/negotiate-locale'

type Services = {
  settings: Settings
  limits: RateLimits
  database: Database
  store: ContentStore
  hosts: Hosts
}

/** Texts of a page: its title and its line. */
const paths = {
  '/app': { title: 'emptyTitle', line: 'empty' },
  '/app/login': { title: 'loginTitle', line: 'login' },
  '/app/register': { title: 'registerTitle', line: 'register' },
} as const
const refused = { title: 'refusedTitle', line: 'refused' } as const
const isPath = (path: string): path is keyof typeof paths => Object.hasOwn(paths, path)

/**
 * The application as far as the embedded API has one (decisions 7): `/app` redeems the one-time token of a sign-in and says who signed in, once;
 * its log-in and register pages say how that is done. With API_UPSTREAM the operator has an application of his own, and these pages are none.
 */
export function application(site: Services): RequestHandler {
  return async function applicationRow(request, response, next) {
    if (site.settings.API_UPSTREAM || !isPath(request.path)) return next()
    const query = new URLSearchParams(splitTarget(request.originalUrl).query)
    const token = request.path === '/app' ? query.get('cpl') : null
    let user: User | null = null
    // Looking (HEAD) uses nothing up.
    if (token && request.method === 'GET') {
      await site.limits({ limit: 'signin' }, clientAddress(request, site.settings.TRUST_PROXY))
      user = await redeemToken(site.database, token)
    }
    const locale = localeOf(site, request.headers.host ?? '', query.get('lang'), user)
    const { brand } = site.store.site()
    const texts = site.store.texts(locale, 'app')
    const read = (key: string, values: Readonly<Record<string, string>> = {}): string =>
      String(texts[key] ?? '').replace(
        /\{\{(\w+)\}\}/g,
        (whole, name: string) => values[name] ?? whole,
      )
    const page = token ? refused : paths[request.path]
    const code = user?.invite_code || query.get('ref')?.match(/^[\w-]{1,64}$/)?.[0]

    // No token in a referrer, no copy of this page anywhere.
    response.setHeader('Cache-Control', 'private, no-store')
    response.setHeader('Referrer-Policy', 'no-referrer')
    response.setHeader('Content-Security-Policy', applicationPolicy)
    response.type('html').send(
      renderApplicationPage({
        locale,
        brand,
        title: read(user ? 'signedInTitle' : page.title),
        lines: [
          user
            ? read('signedIn', { name: user.name || user.email, email: user.email })
            : read(page.line),
          ...(code ? [read('referral', { code })] : []),
        ],
        back: {
          href: absolute(site.hosts.origins, locale, href(locale, 'home')),
          text: read('back'),
        },
      }),
    )
  }
}

/** The language of the account, else the one asked for, else that of the host. */
function localeOf(
  { hosts }: { hosts: Hosts },
  host: string,
  asked: string | null,
  user: User | null,
): LocaleCode {
  if (user && isLocaleCode(user.language)) return user.language
  return localeOfCall(asked ?? '') ?? hostLanguages[hosts.nameOf(host)]
}
