import type { ApiClient } from '../platform/api-client'
import { toRecord } from '../platform/to-record'

/** `source`: parameter `utm_source` of the page; `referer`: the first external referrer. */
export type SignInDetails = {
  inviteCode: string
  language: string
  source: string
  referer: string
}

/**
 * Signs a visitor in with an encrypted identity token (spec 6.6). Resolves to the address of the
 * application, which holds a one-time token. Rejects when the call fails or the answer has no
 * address.
 */
export async function signIn(
  api: Pick<ApiClient, 'postForm'>,
  authBase: string,
  credential: string,
  { inviteCode, language, source, referer }: SignInDetails,
): Promise<string> {
  const data = await api.postForm(`${authBase}/sys/user/passport/authorized-login`, {
    third_party: 'google',
    third_party_action_type: 'one_tap',
    invite_code: inviteCode,
    regParam: inviteCode,
    language,
    source,
    referer,
    redirect_data: '',
    credential,
  })
  const { url } = toRecord(data)
  if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Error('the answer names no application')
  return url
}
