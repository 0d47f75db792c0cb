import { z } from 'zod'
import { limits } from '../../../shared/constants'
import { findOrCreateAccount, issueToken } from '../../db/sign-in-store'
import { SiteError } from '../../errors'
import { defineCall } from '../define-call'
import { applicationUrl } from '../sign-in/application-url'
import { localeField, referralCode, sourceLine } from '../input-fields'
import { createSignInNonces } from '../sign-in/sign-in-nonces'
import { createIdentityVerifier, verificationFailed } from '../sign-in/identity-verifier'

const optionalCode = z.union([z.literal(''), referralCode]).default('')

/**
 * `POST /api/sys/user/passport/authorized-login`: exchanges an identity token, sealed in an
 * envelope, for a one-time token of the application.
 */
export const authorizedLogin = defineCall({
  method: 'POST',
  path: '/sys/user/passport/authorized-login',
  rateLimit: 'signin',
  inputFrom: 'form',
  input: z.object({
    third_party: z.literal('google', 'google'),
    third_party_action_type: z.literal('one_tap', 'one_tap'),
    invite_code: optionalCode,
    regParam: optionalCode,
    language: localeField.prefault('en-US'),
    source: sourceLine,
    referer: sourceLine,
    redirect_data: z.string().max(limits.maxPageUrlLength, 'too long').default(''),
    // A missing credential fails like any other bad envelope.
    credential: z.string().default(''),
  }),
  createHandler: ({ settings, database, keyring, hosts }) => {
    const verifyIdentity = createIdentityVerifier(settings)
    const nonces = createSignInNonces(database)
    return async (
      { credential, invite_code, regParam, language, source, referer, redirect_data },
      { host },
    ) => {
      const url = applicationUrl(settings.APP_URL, hosts.origins[host], redirect_data)
      const idToken = await keyring.open(splitCredential(credential))
      if (!settings.GOOGLE_CLIENT_ID) throw new SiteError('forbidden', 'Sign-in is not set up')
      const { nonce, ...identity } = await verifyIdentity(idToken)
      if (!(await nonces.consume(nonce))) throw verificationFailed()
      const accountId = await findOrCreateAccount(database, identity, {
        language,
        invite_code: invite_code || regParam,
        source,
        referer,
      })
      const cpl = await issueToken(database, accountId)
      url.searchParams.set('cpl', cpl)
      return { cpl, url: url.href }
    }
  },
})

/** The two parts of an envelope from `{_t}.{_a}`; anything else gives an envelope that fails. */
function splitCredential(credential: string): { _t: string; _a: string } {
  const [_t = '', _a = '', ...excess] = credential.split('.')
  return excess.length > 0 ? { _t: '', _a: '' } : { _t, _a }
}
