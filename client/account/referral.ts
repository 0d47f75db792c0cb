import type { ApiClient } from '../platform/api-client'
import type { CookieJar } from '../platform/cookie-jar'
import type { SafeStorage } from '../platform/safe-storage'

const valid = (code: string | null): code is string =>
  code !== null && /^[A-Za-z0-9_-]{1,64}$/.test(code)
/** Registration code that the application stored; the same name as the cookie (decisions 7). */
const stored = 'invite_code'
const sent = 'invite_code_sent'

/** The referral code of a visit: `ref`, then `code` of the address, then the cookie, then the stored registration code; the first valid one. */
export function referralCode({
  search,
  jar,
  storage,
}: {
  search: string
  jar: Pick<CookieJar, 'get'>
  storage: SafeStorage
}): string | null {
  const query = new URLSearchParams(search)
  return (
    [query.get('ref'), query.get('code'), jar.get('referral'), storage.get(stored)].find(valid) ??
    null
  )
}

/** Keeps the code for 7 days and registers it once with the API. It is functional, so it needs no consent. */
export async function registerReferral({
  search,
  jar,
  storage,
  api,
}: {
  search: string
  jar: CookieJar
  storage: SafeStorage
  api: Pick<ApiClient, 'get'>
}): Promise<string | null> {
  const code = referralCode({ search, jar, storage })
  if (!code) return null
  if (jar.get('referral') !== code) jar.set('referral', code)
  if (storage.get(sent) === code) return code
  // A failure is in the error log of the client; the next page tries again.
  await api.get('/api/sys/config/ref/set', { c_v: code }).then(
    () => storage.set(sent, code),
    () => undefined,
  )
  return code
}
