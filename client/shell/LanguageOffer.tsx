import { useEffect, useState } from 'react'
import { locales, type LocaleCode } from '../../shared/i18n/locales'
import { usePage } from '../view-context'
import { preferredLocale } from '../navigation/locale-choice'
import { focusMain } from './focus-main'
import s from './LanguageOffer.module.css'
import { panelOpen } from './panel-open'
import { useFloating } from './use-floating'
import { pageFetch } from '../platform/retrying-fetch'
import { useStore } from '../platform/use-store'

type OfferTexts = Record<'text' | 'link' | 'close', string>
// Every field is optional: an unexpected response leads to no offer.
type OfferResponse = { data?: { texts?: Partial<OfferTexts> } | null }

/** Holds the language whose offer the visitor has closed on this host. */
const storageKey = 'language_offer_closed'

function isClosed(code: LocaleCode): boolean {
  try {
    return localStorage.getItem(storageKey) === code
  } catch {
    return false
  }
}

function rememberClosed(code: LocaleCode): void {
  try {
    localStorage.setItem(storageKey, code)
  } catch {
    // Storage is blocked, so the offer returns on a later page.
  }
}

async function fetchOfferTexts(code: LocaleCode): Promise<OfferTexts | null> {
  const response = await pageFetch(`/api/site/offer?lang=${code}`)
  // The fields that are used are checked below.
  const { data } = (await response.json()) as OfferResponse
  const { text, link, close } = data?.texts ?? {}
  return text && link && close ? { text, link, close } : null
}

/**
 * Offers the same page in the visitor's preferred language, with a text in that language (spec
 * 4.7).
 */
export function LanguageOffer() {
  const { locale, languages } = usePage()
  const [preferred] = useState(() => preferredLocale(document.cookie, navigator.languages))
  const [texts, setTexts] = useState<OfferTexts | null>(null)
  const floatingRef = useFloating('language-offer')
  const isPanelOpen = useStore(panelOpen)
  // The texts stay the same for all pages, but each page has its own link.
  const samePage = languages.find(({ code, same }) => same && code === preferred && code !== locale)
  const offered = samePage?.code
  useEffect(() => {
    if (!offered || isClosed(offered)) return undefined
    let canceled = false
    // Without a response there is no offer; the visitor can still use the language menu.
    fetchOfferTexts(offered).then(
      (found) => canceled || setTexts(found),
      () => undefined,
    )
    return () => {
      canceled = true
    }
  }, [offered])

  if (!samePage || !texts || isPanelOpen) return null
  const { language } = locales[samePage.code]
  const close = (): void => {
    focusMain()
    rememberClosed(samePage.code)
    setTexts(null)
  }
  return (
    <aside
      ref={floatingRef}
      className={s['offer']}
      data-shell="language-offer"
      lang={language}
      aria-label={texts.link}
    >
      <p>
        {texts.text}{' '}
        <a
          data-track="page-offer"
          href={samePage.href}
          hrefLang={language}
          data-locale={samePage.code}
          data-expose="page-offer"
        >
          {texts.link}
        </a>
      </p>
      <button
        type="button"
        data-action="close"
        data-track="page-offer-close"
        aria-label={texts.close}
        onClick={close}
      >
        ×
      </button>
    </aside>
  )
}
