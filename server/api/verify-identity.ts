import { createRemoteJWKSet, errors, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Identity } from '../db/sign-in-store'
import type { Settings } from '../env'
import { SiteError } from '../errors'

/** Clocks of two machines may differ so much (s), and fetching the provider's keys may take so long (ms). */
const clockTolerance = 30
const fetchTimeout = 3000

const claims = z.object({
  sub: z.string().min(1).max(255),
  nonce: z.string().max(200),
  email: z.email().max(254),
  email_verified: z.union([z.literal(true), z.literal('true')]),
  name: z.string().max(200).default(''),
  picture: z
    .union([z.literal(''), z.url({ protocol: /^https?$/ })])
    .catch('')
    .default(''),
})

export type Verified = Identity & { nonce: string }

/**
 * Checks identity tokens (OpenID Connect Core 3.1.3.7): signature by the provider's published keys, issuer, audience, expiry, a verified e-mail
 * address. Whether its nonce is one of ours is checked by the caller. Throws `unauthorized` without saying which check failed; `upstreamFailed` or `upstreamTimeout` when the keys cannot be had.
 */
export function createIdentityVerifier({
  GOOGLE_CLIENT_ID,
  ID_TOKEN_ISSUER,
  ID_TOKEN_JWKS_URL,
}: Settings): (token: string) => Promise<Verified> {
  const keys = createRemoteJWKSet(new URL(ID_TOKEN_JWKS_URL), { timeoutDuration: fetchTimeout })
  // Google writes its name with and without the scheme.
  const issuer = [ID_TOKEN_ISSUER, ID_TOKEN_ISSUER.replace(/^https:\/\//, '')]
  return async function verifyIdentity(token) {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience: GOOGLE_CLIENT_ID,
      algorithms: ['RS256', 'ES256'],
      clockTolerance,
      requiredClaims: ['exp', 'iat', 'sub'],
    }).catch((error: unknown) => {
      throw asSiteError(error)
    })
    const known = claims.safeParse(payload)
    if (!known.success) throw refused()
    const { sub, nonce, email, name, picture } = known.data
    return { provider: 'google', subject: sub, nonce, email, name, picture }
  }
}

export const refused = (): SiteError =>
  new SiteError('unauthorized', 'The sign-in could not be verified')

/** jose's own errors are about the token, but for those about fetching the keys; any other error is the network's. */
function asSiteError(error: unknown): SiteError {
  if (error instanceof errors.JWKSTimeout) return new SiteError('upstreamTimeout')
  if (
    error instanceof errors.JWKSInvalid ||
    !(error instanceof errors.JOSEError) ||
    error.constructor === errors.JOSEError
  )
    return new SiteError('upstreamFailed')
  return refused()
}
