import { z } from 'zod'
import { limits } from '../../shared/constants'
import { findOrMakeAccount, issueToken } from '../db/sign-in-store'
import { SiteError } from '../errors'
import { defineCall } from './api-call'
import { applicationUrl } from './application-url'
import { localeField, referralCode, sourceLine } from './fields'
import { assertSameSite } from './same-site'
import { createNonces } from './sign-in-nonce'
import { createIdentityVerifier, refused } from './verify-identity'

const optionalCode = z.union([z.literal(''), referralCode]).default('')

/** `POST /api/sys/user/passport/authorized-login`: an identity token, in an envelope, for a one-time token of the application. */
export const authorizedLogin = defineCall({
  method: 'POST',
  path: '/sys/user/passport/authorized-login',
  limit: 'signin',
  from: 'form',
  input: z.object({
    third_party: z.literal('google', 'google'),
    third_party_action_type: z.literal('one_tap', 'one_tap'),
    invite_code: optionalCode,
    regParam: optionalCode,
    language: localeField.prefault('en-US'),
    source: sourceLine,
    referer: sourceLine,
    redirect_data: z.string().max(limits.pageLength, 'too long').default(''),
    // A missing one is a wrong envelope like any other.
    credential: z.string().default(''),
  }),
  make: ({ settings, database, keyring, hosts }) => {
    const verifyIdentity = createIdentityVerifier(settings)
    const nonces = createNonces(database)
    return async (
      { credential, invite_code, regParam, language, source, referer, redirect_data },
      { headers, host },
    ) => {
      assertSameSite(headers, hosts)
      if (!settings.GOOGLE_CLIENT_ID) throw new SiteError('forbidden', 'Sign-in is not set up')
      const url = applicationUrl(settings.APP_URL, hosts.origins[host], redirect_data)
      const [_t = '', _a = '', ...more] = credential.split('.')
      const { nonce, ...identity } = await verifyIdentity(
        await keyring.open(more.length > 0 ? { _t: '', _a: '' } : { _t, _a }),
      )
      if (!(await nonces.spend(nonce))) throw refused()
      const account = await findOrMakeAccount(database, identity, {
        language,
        invite_code: invite_code || regParam,
        source,
        referer,
      })
      const cpl = await issueToken(database, account)
      url.searchParams.set('cpl', cpl)
      return { cpl, url: url.href }
    }
  },
})
