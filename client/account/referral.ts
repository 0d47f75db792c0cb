import type { ApiClient } from '../platform/api-client'
import type { CookieJar } from '../platform/cookie-jar'
import type { SafeStorage } from '../platform/safe-storage'

type Visit = {
  /** Query of the page's address. */
  search: string
  cookies: Pick<CookieJar, 'get'>
  storage: SafeStorage
}

/** The application stores its registration code under the name of the cookie (spec 7.6). */
const storageKey = 'invite_code'
const registeredKey = 'invite_code_sent'

const isValid = (code: string | null): code is string =>
  code !== null && /^[A-Za-z0-9_-]{1,64}$/.test(code)

/**
 * The referral code of a visit: the first valid one of the parameter `ref`, the parameter `code`,
 * the cookie and the stored registration code.
 */
export function referralCode({ search, cookies, storage }: Visit): string | null {
  const query = new URLSearchParams(search)
  const candidates = [
    query.get('ref'),
    query.get('code'),
    cookies.get('referral'),
    storage.get(storageKey),
  ]
  return candidates.find(isValid) ?? null
}

/** Stores the code for 7 days and registers it once. It is functional, so it needs no consent. */
export async function registerReferral({
  search,
  cookies,
  storage,
  api,
}: Visit & { cookies: CookieJar; api: Pick<ApiClient, 'get'> }): Promise<void> {
  const code = referralCode({ search, cookies, storage })
  if (!code) return
  if (cookies.get('referral') !== code) cookies.set('referral', code)
  if (storage.get(registeredKey) === code) return
  // The API client reports a failure; the next page tries again.
  await api.get('/api/sys/config/ref/set', { c_v: code }).then(
    () => storage.set(registeredKey, code),
    () => undefined,
  )
}
