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
  // A link of the header stays in the page across navigations, so each use starts from the address
  // that was rendered: `from` must be the page on the screen.
  const completedLinks = new WeakMap<HTMLAnchorElement, { rendered: string; completed: string }>()
  function addParams(link: HTMLAnchorElement, parameters: Readonly<Record<string, string>>): void {
    const last = completedLinks.get(link)
    const rendered = last?.completed === link.href ? last.rendered : link.href
    link.href = addMissingParams(rendered, parameters)
    completedLinks.set(link, { rendered, completed: link.href })
  }
  function completeLink({ target }: Event): void {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
    if (!link) return
    const code = referralCode()
    const referral: Record<string, string> = code ? { ref: code } : {}
    const { action } = link.dataset
    if (action === 'register' || action === 'login')
      addParams(link, { from: redactUrl(location.href), ...referral })
    else if (link.origin !== new URL(location.href).origin && origins.includes(link.origin))
      addParams(link, referral)
  }
  // In the capture phase and before the click: a context menu and a middle click use the address
  // too.
  const events = ['pointerdown', 'focusin', 'click'] as const
  for (const name of events) document.addEventListener(name, completeLink, true)
  return () => events.forEach((name) => document.removeEventListener(name, completeLink, true))
}
