import type { OneTapSettings } from '../../shared/view'
import type { ApiClient } from '../platform/api-client'
import { toRecord } from '../platform/to-record'

/** `source`: parameter `utm_source` of the page; `referer`: the first external referrer. */
export type SignInDetails = {
  inviteCode: string
  language: string
  source: string
  referer: string
}

const isWebAddress = (value: unknown): value is string =>
  typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)

/** `userId`: the backend's id of the visitor; empty where it sends none. */
type SignedIn = { url: string; userId: string }
type Deps = {
  api: Pick<ApiClient, 'postForm'>
  config: Pick<OneTapSettings, 'authBase'>
  /** Address of the application. */
  applicationUrl: string
}

/** The address of the application with the one-time token; made here where only the token came. */
function applicationAddress({ url, cpl }: Record<string, unknown>, applicationUrl: string): string {
  if (isWebAddress(url)) return url
  if (typeof cpl !== 'string' || cpl === '') throw new Error('the answer has no token')
  const application = new URL(applicationUrl)
  application.searchParams.set('cpl', cpl)
  return application.href
}

/** The optional field `user_id`: text or a number. */
const userIdIn = ({ user_id: id }: Record<string, unknown>): string =>
  (typeof id === 'string' || typeof id === 'number') && /^[\w-]{1,64}$/.test(String(id))
    ? String(id)
    : ''

/**
 * Signs a visitor in with an encrypted identity token (spec 6.6). Rejects when the call fails or
 * the answer has neither an address nor a token.
 */
export async function signIn(
  { api, config, applicationUrl }: Deps,
  credential: string,
  { inviteCode, language, source, referer }: SignInDetails,
): Promise<SignedIn> {
  const data = await api.postForm(`${config.authBase}/sys/user/passport/authorized-login`, {
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
  const answer = toRecord(data)
  return { url: applicationAddress(answer, applicationUrl), userId: userIdIn(answer) }
}
