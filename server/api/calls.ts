import type { ApiCall } from './api-call'
import { authorizedLogin } from './authorized-login'
import { baseInfo } from './base-info'
import { chatChoose } from './chat-choose'
import { chatType } from './chat-type'
import { clientVersion } from './client-version'
import { event } from './event'
import { fingerprint } from './fingerprint'
import { nonce } from './nonce'
import { publicKey } from './public-key'
import { recordSourceCall } from './record-source'
import { redeem } from './redeem'
import { referral } from './referral'
import { siteHelpful } from './site-helpful'
import { siteMessage } from './site-message'
import { siteMissing } from './site-missing'
import { siteOffer } from './site-offer'
import { siteRedirect } from './site-redirect'
import { siteSearch } from './site-search'
import { siteTexts } from './site-texts'
import { visitorIp } from './visitor-ip'

/** THE CALLS of the embedded API: one file and one row each. */
export const calls: readonly ApiCall[] = [
  // Sign-in.
  nonce,
  authorizedLogin,
  redeem,
  // What visitors do and where they come from.
  publicKey,
  event,
  recordSourceCall,
  referral,
  fingerprint,
  visitorIp,
  // Configuration.
  baseInfo,
  chatType,
  chatChoose,
  clientVersion,
  // About the site itself: answered here with API_UPSTREAM too.
  siteOffer,
  siteRedirect,
  siteMissing,
  siteSearch,
  siteTexts,
  siteMessage,
  siteHelpful,
]

const byPath = new Map<string, ApiCall[]>()
for (const call of calls) byPath.set(call.path, [...(byPath.get(call.path) ?? []), call])

/** The calls at a path below `/api`: one a method; none where nothing is. */
export const callsAt = (path: string): readonly ApiCall[] => byPath.get(path) ?? []

/** `Allow` of a path that has these calls. */
export const allowOf = (found: readonly ApiCall[]): string =>
  found.map(({ method }) => (method === 'GET' ? 'GET, HEAD' : method)).join(', ')

/** With `API_UPSTREAM` these are still answered here: they are about the site itself (decisions 2). */
export const isSiteCall = (path: string): boolean => path.startsWith('/site/')
