import type { Hosts } from '../url/hosts'
import type { AnswerCache } from './answer-cache'
import type { HostName } from '../../shared/i18n/locales'
import { securityHeaders } from './security-headers'
import { redirectAnswer, type Redirect } from '../url/redirect'

/**
 * Keeps a redirect that depends on nothing but host and target, for the front. Not with a query: campaign parameters
 * would fill the small store with what nobody asks for twice. Any purge drops it, because redirects depend on content.
 */
export function keepRedirect(
  { cache, hosts }: { cache: AnswerCache; hosts: Hosts },
  host: HostName,
  target: string,
  to: Redirect,
): void {
  if (!cache.enabled || !target.startsWith('/') || /[?#]/.test(target)) return
  const { status, headers, body } = redirectAnswer(to, hosts.origins)
  cache.store(
    `${host} ${target}`,
    {
      status,
      body,
      headers: { ...securityHeaders(hosts.secure(host)), ...headers },
      encoded: {},
      etag: '',
      storedAt: Date.now(),
      tags: ['redirects'],
      route: 'redirect',
      locale: '',
      negotiated: false,
      queryMatters: true,
    },
    cache.mark(),
  )
}
