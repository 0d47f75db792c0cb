import { absoluteUrl, href } from '../../shared/routes/href'
import { usePage } from '../view-context'

type ContactTarget = { href: string; text: string }

/**
 * Where to write to: a mailbox, or the contact page where the operator has not set that mailbox.
 */
export function useContactTarget(): (mailbox: 'email' | 'support') => ContactTarget {
  const { locale, origins, site } = usePage()
  return (mailbox) => {
    const email = site.contact[mailbox]
    if (email) return { href: `mailto:${email}`, text: email }
    const page = absoluteUrl(origins, locale, href(locale, 'single', { html: 'contact' }))
    return { href: page, text: page }
  }
}
