import { reservedPathOf, reservedPaths } from '../../shared/reserved-paths'
import { allowOf, type ApiCall } from './define-call'
import { authorizedLogin } from './calls/authorized-login'
import { baseInfo } from './calls/base-info'
import { chatChoose } from './calls/chat-choose'
import { chatType } from './calls/chat-type'
import { clientVersion } from './calls/client-version'
import { event } from './calls/event'
import { fingerprint } from './calls/fingerprint'
import { nonce } from './calls/nonce'
import { publicKey } from './calls/public-key'
import { recordTrafficSource } from './calls/record-source'
import { redeem } from './calls/redeem'
import { referral } from './calls/referral'
import { siteHelpful } from './calls/site-helpful'
import { siteMessage } from './calls/site-message'
import { siteMissing } from './calls/site-missing'
import { siteOffer } from './calls/site-offer'
import { siteRedirect } from './calls/site-redirect'
import { siteSearch } from './calls/site-search'
import { siteTexts } from './calls/site-texts'
import { siteVisitorSettings } from './calls/site-visitor-settings'
import { siteVitals } from './calls/site-vitals'
import { visitorIp } from './calls/visitor-ip'

/** The calls of the embedded API. Each is one file in `calls/` and one row here. */
export const calls: readonly ApiCall[] = [
  // Sign-in.
  nonce,
  authorizedLogin,
  redeem,
  // Analytics and traffic sources.
  publicKey,
  event,
  recordTrafficSource,
  referral,
  fingerprint,
  visitorIp,
  // Configuration.
  baseInfo,
  chatType,
  chatChoose,
  clientVersion,
  // Calls about the site itself. They are answered here with API_UPSTREAM too.
  siteOffer,
  siteRedirect,
  siteMissing,
  siteSearch,
  siteTexts,
  siteMessage,
  siteHelpful,
  siteVisitorSettings,
  siteVitals,
]

const callsByPath = new Map<string, readonly ApiCall[]>(
  calls.map(({ path }) => [path, calls.filter((call) => call.path === path)]),
)

/** The calls at a path below `/api`, one per method; empty when the path is unknown. */
export const callsAt = (path: string): readonly ApiCall[] => callsByPath.get(path) ?? []

/**
 * The call that a backend may take a request for: many ignore letter case and a slash at the end.
 * Another method than those of the calls at the path counts as the first of them.
 */
export function forwardedCall(path: string, method: string): ApiCall | undefined {
  const callsOfPath = callsAt(path.toLowerCase().replace(/\/$/, ''))
  return callsOfPath.find((call) => call.method === method) ?? callsOfPath[0]
}

/** The `Allow` header of any path of the site, for methods that no path takes. */
export function allowAt(path: string): string {
  const reserved = reservedPathOf(path)
  const ofCalls = reserved === reservedPaths.api ? callsAt(path.slice(reserved.path.length)) : []
  return allowOf(ofCalls) || (reserved?.methods ?? 'GET, HEAD')
}

/** Whether a call is about the site itself and is therefore never forwarded to `API_UPSTREAM`. */
export const isSiteCall = (path: string): boolean => path.startsWith('/site/')
