import { createRemoteJWKSet, errors, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Identity } from '../../db/sign-in-store'
import type { Settings } from '../../env'
import { SiteError } from '../../errors'

/** How far the provider's clock may differ from ours. */
const clockToleranceSeconds = 30
/** How long fetching the provider's keys may take. */
const keyFetchTimeoutMs = 3000

const claimsSchema = z.object({
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

type VerifiedIdentity = Identity & { nonce: string }

/**
 * Verifies identity tokens (OpenID Connect Core 3.1.3.7): signature by the provider's published
 * keys, issuer, audience, expiry, verified e-mail address. The caller checks the nonce. Throws
 * `unauthorized` without naming the failed check, and `upstreamFailed` or `upstreamTimeout` when
 * the keys cannot be fetched.
 */
export function createIdentityVerifier({
  GOOGLE_CLIENT_ID,
  ID_TOKEN_ISSUER,
  ID_TOKEN_JWKS_URL,
}: Settings): (token: string) => Promise<VerifiedIdentity> {
  let keys: ReturnType<typeof createRemoteJWKSet> | null = null
  /** Created at the first sign-in, because jose then loads Node's `fetch`, which takes 80 ms. */
  const publishedKeys = (): ReturnType<typeof createRemoteJWKSet> =>
    (keys ??= createRemoteJWKSet(new URL(ID_TOKEN_JWKS_URL), {
      timeoutDuration: keyFetchTimeoutMs,
    }))
  // Google's tokens name the issuer with or without the scheme.
  const issuers = [ID_TOKEN_ISSUER, ID_TOKEN_ISSUER.replace(/^https:\/\//, '')]
  return async function verifyIdentity(token) {
    const { payload } = await jwtVerify(token, publishedKeys(), {
      issuer: issuers,
      audience: GOOGLE_CLIENT_ID,
      algorithms: ['RS256', 'ES256'],
      clockTolerance: clockToleranceSeconds,
      requiredClaims: ['exp', 'iat', 'sub'],
    }).catch((error: unknown) => {
      throw asSiteError(error)
    })
    const claims = claimsSchema.safeParse(payload)
    if (!claims.success) throw verificationFailed()
    const { sub, nonce, email, name, picture } = claims.data
    return { provider: 'google', subject: sub, nonce, email, name, picture }
  }
}

/** The error of every failed check: a 401 that does not tell which check failed. */
export const verificationFailed = (): SiteError =>
  new SiteError('unauthorized', 'The sign-in could not be verified')

/**
 * jose's errors concern the token, except those about fetching the keys. Every other error comes
 * from the network.
 */
function asSiteError(error: unknown): SiteError {
  if (error instanceof errors.JWKSTimeout) return new SiteError('upstreamTimeout')
  if (
    error instanceof errors.JWKSInvalid ||
    !(error instanceof errors.JOSEError) ||
    error.constructor === errors.JOSEError
  )
    return new SiteError('upstreamFailed')
  return verificationFailed()
}
