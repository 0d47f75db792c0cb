import type { HostName } from '../../shared/i18n/locales'
import type { Settings } from '../env'
import type { Hosts } from '../url/hosts'
import { redirectResponse, type Redirect } from '../url/redirect'
import type { AnswerCache } from './answer-cache'
import { redirectKey } from './cache-keys'
import { commonHeaders } from './security-headers'

type Services = {
  cache: AnswerCache
  hosts: Pick<Hosts, 'origins' | 'isSecure'>
  settings: Pick<Settings, 'INDEXING'>
}

/**
 * Stores a redirect for the front. Only for a redirect that depends on nothing but host and target.
 * Targets with a query are not stored: each campaign parameter would take an entry that no later
 * request uses. Redirects depend on content, so any purge deletes them.
 */
export function storeRedirect(
  { cache, hosts, settings }: Services,
  host: HostName,
  target: string,
  redirect: Redirect,
): void {
  if (!cache.enabled || !target.startsWith('/') || /[?#]/.test(target)) return
  const { status, headers, body } = redirectResponse(redirect, hosts.origins)
  cache.store(
    redirectKey(host, target),
    {
      status,
      body,
      headers: { ...commonHeaders(hosts.isSecure(host), settings), ...headers },
      encoded: {},
      etag: '',
      storedAt: Date.now(),
      tags: ['redirects'],
      route: 'redirect',
      locale: '',
      negotiated: false,
      queryMatters: true,
    },
    cache.purgeCount(),
  )
}
