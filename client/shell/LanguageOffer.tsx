import { useEffect, useState } from 'react'
import { locales, type LocaleCode } from '../../shared/i18n/locales'
import { usePage } from '../view-context'
import { preferredLocale } from '../navigation/locale-choice'
import s from './LanguageOffer.module.css'
import { panelOpen } from './panel-open'
import { useCorner } from './use-corner'
import { useStore } from '../platform/use-store'

type Offer = { code: LocaleCode; href: string; text: string; link: string; close: string }
type Answer = { data?: { texts?: Partial<Record<'text' | 'link' | 'close', string>> } | null }

/** Closed once means closed for that language, on this host. */
const storageKey = 'language_offer_closed'

function isClosed(code: LocaleCode): boolean {
  try {
    return localStorage.getItem(storageKey) === code
  } catch {
    return false
  }
}

async function fetchOffer(code: LocaleCode, href: string): Promise<Offer | null> {
  const response = await fetch(`/api/site/offer?lang=${code}`)
  const { data } = (await response.json()) as Answer
  const { text, link, close } = data?.texts ?? {}
  return text && link && close ? { code, href, text, link, close } : null
}

/** One quiet line that offers the same page in the language the visitor reads best, in that language (decisions 4). */
export function LanguageOffer() {
  const { locale, languages } = usePage()
  const [offer, setOffer] = useState<Offer | null>(null)
  const place = useCorner('language-offer')
  const makesRoom = useStore(panelOpen)
  useEffect(() => {
    const wanted = preferredLocale(document.cookie, navigator.languages)
    const same = languages.find(({ code, same: exists }) => code === wanted && exists)
    if (!wanted || wanted === locale || !same || isClosed(wanted)) return setOffer(null)
    let gone = false
    // Without an answer there is no offer: the language menu remains.
    fetchOffer(wanted, same.href).then(
      (found) => gone || setOffer(found),
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [locale, languages])

  if (!offer || makesRoom) return null
  const { language } = locales[offer.code]
  const close = (): void => {
    try {
      localStorage.setItem(storageKey, offer.code)
    } catch {
      // Storage is refused: closed until the next page.
    }
    setOffer(null)
  }
  return (
    <aside
      ref={place}
      className={s['offer']}
      data-shell="language-offer"
      lang={language}
      aria-label={offer.link}
    >
      <p>
        {offer.text}{' '}
        <a href={offer.href} hrefLang={language} data-locale={offer.code}>
          {offer.link}
        </a>
      </p>
      <button type="button" data-action="close" aria-label={offer.close} onClick={close}>
        ×
      </button>
    </aside>
  )
}
