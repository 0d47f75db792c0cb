import { addMissingParams } from '../../shared/account-link'
import { redactUrl } from '../analytics/redact-url'

type Deps = {
  document: Document
  location: Pick<Location, 'href'>
  referralCode: () => string | null
  /** Origins of the other language hosts, which cannot read the cookies of this one. */
  origins: readonly string[]
}

/**
 * Completes links at the moment they are used, because the HTML is shared by all visitors and can
 * hold no visitor data (spec 7.6). Register and login links get the current page (`from`) and the
 * referral code (`ref`); links to another language host get the referral code.
 */
export function startAccountLinks({ document, location, referralCode, origins }: Deps): () => void {
  function completeLink({ target }: Event): void {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
    if (!link) return
    const code = referralCode()
    const referral: Record<string, string> = code ? { ref: code } : {}
    const { action } = link.dataset
    if (action === 'register' || action === 'login')
      link.href = addMissingParams(link.href, { from: redactUrl(location.href), ...referral })
    else if (code && link.origin !== new URL(location.href).origin && origins.includes(link.origin))
      link.href = addMissingParams(link.href, referral)
  }
  // In the capture phase and before the click: a context menu and a middle click use the address
  // too.
  const events = ['pointerdown', 'focusin', 'click'] as const
  for (const name of events) document.addEventListener(name, completeLink, true)
  return () => events.forEach((name) => document.removeEventListener(name, completeLink, true))
}
