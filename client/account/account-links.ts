import { addMissing } from '../../shared/urls'
import { reportableUrl } from '../analytics/reportable-url'

type Deps = {
  document: Document
  location: Pick<Location, 'href'>
  code: () => string | null
  /** Origins of the other language hosts: their cookies are not ours, so the code goes along. */ origins: readonly string[]
}

/**
 * Adds to register and login links, at the moment they are used, the page they are used on (`from`) and the referral code (`ref`);
 * the HTML is shared by all visitors and can hold neither. Links to another language host take the code along.
 */
export function startAccountLinks({ document, location, code, origins }: Deps): () => void {
  function complete(event: Event): void {
    const link =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
    if (!link) return
    const ref = code()
    const referral: Record<string, string> = ref ? { ref } : {}
    if (link.dataset['action'] === 'register' || link.dataset['action'] === 'login')
      link.href = addMissing(link.href, { from: reportableUrl(location.href), ...referral })
    else if (ref && link.origin !== new URL(location.href).origin && origins.includes(link.origin))
      link.href = addMissing(link.href, referral)
  }
  // On the way down and early: a context menu and a middle click use the address as well.
  const events = ['pointerdown', 'focusin', 'click'] as const
  for (const name of events) document.addEventListener(name, complete, true)
  return () => events.forEach((name) => document.removeEventListener(name, complete, true))
}
