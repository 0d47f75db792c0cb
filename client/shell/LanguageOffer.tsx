import { useEffect, useState } from 'react'
import { locales, type LocaleCode } from '../../shared/i18n/locales'
import { usePage } from '../view-context'
import { preferredLocale } from '../navigation/locale-choice'
import s from './LanguageOffer.module.css'
import { panelOpen } from './panel-open'
import { useFloating } from './use-floating'
import { pageFetch } from '../platform/retrying-fetch'
import { useStore } from '../platform/use-store'

type Offer = { code: LocaleCode; href: string; text: string; link: string; close: string }
// Every field is optional: an unexpected response leads to no offer.
type OfferResponse = {
  data?: { texts?: Partial<Record<'text' | 'link' | 'close', string>> } | null
}

/** Holds the language whose offer the visitor has closed on this host. */
const storageKey = 'language_offer_closed'

function isClosed(code: LocaleCode): boolean {
  try {
    return localStorage.getItem(storageKey) === code
  } catch {
    return false
  }
}

async function fetchOffer(code: LocaleCode, href: string): Promise<Offer | null> {
  const response = await pageFetch(`/api/site/offer?lang=${code}`)
  // The fields that are used are checked below.
  const { data } = (await response.json()) as OfferResponse
  const { text, link, close } = data?.texts ?? {}
  return text && link && close ? { code, href, text, link, close } : null
}

/**
 * Offers the same page in the visitor's preferred language, with a text in that language (spec
 * 4.7).
 */
export function LanguageOffer() {
  const { locale, languages } = usePage()
  const [offer, setOffer] = useState<Offer | null>(null)
  const floatingRef = useFloating('language-offer')
  const isPanelOpen = useStore(panelOpen)
  useEffect(() => {
    const preferred = preferredLocale(document.cookie, navigator.languages)
    const samePage = languages.find(({ code, same: exists }) => code === preferred && exists)
    if (!preferred || preferred === locale || !samePage || isClosed(preferred))
      return setOffer(null)
    let canceled = false
    // Without a response there is no offer; the visitor can still use the language menu.
    fetchOffer(preferred, samePage.href).then(
      (found) => canceled || setOffer(found),
      () => undefined,
    )
    return () => {
      canceled = true
    }
  }, [locale, languages])

  if (!offer || isPanelOpen) return null
  const { language } = locales[offer.code]
  const close = (): void => {
    try {
      localStorage.setItem(storageKey, offer.code)
    } catch {
      // Storage is blocked, so the offer returns on the next page.
    }
    setOffer(null)
  }
  return (
    <aside
      ref={floatingRef}
      className={s['offer']}
      data-shell="language-offer"
      lang={language}
      aria-label={offer.link}
    >
      <p>
        {offer.text}{' '}
        <a
          data-track="page-offer"
          href={offer.href}
          hrefLang={language}
          data-locale={offer.code}
          data-expose="page-offer"
        >
          {offer.link}
        </a>
      </p>
      <button
        type="button"
        data-action="close"
        data-track="page-offer-close"
        aria-label={offer.close}
        onClick={close}
      >
        ×
      </button>
    </aside>
  )
}
