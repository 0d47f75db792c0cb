import { isbot } from 'isbot'
import Negotiator from 'negotiator'
import { localeBySegment, locales, type LocaleCode } from '../../shared/i18n/locales'
import { localeOfTag } from '../../shared/i18n/match-tag'
import { switchLocale, type Page } from '../../shared/routes/availability'
import { chosenLocale } from '../../shared/locale-cookie'
import type { Origins } from '../../shared/routes/href'

/** The headers that a choice of language may depend on; every answer that asked for one varies by it. */
export type Visitor = {
  method: string
  acceptLanguage: string | undefined
  cookie: string | undefined
  fetchSite: string | undefined
  referer: string | undefined
  userAgent: string | undefined
}

/** The best language of an `Accept-Language` header by its quality values (RFC 4647 look-up); unknown ones give way to the next. */
export function preferredLocale(acceptLanguage: string | undefined): LocaleCode | null {
  if (!acceptLanguage) return null
  const tags = new Negotiator({
    headers: { 'accept-language': acceptLanguage.slice(0, 1000) },
  }).languages()
  for (const tag of tags) {
    const locale = localeOfTag(tag)
    if (locale) return locale
  }
  return null
}

/** Whether a visitor comes from outside: then, and only then, a language may be chosen for him. */
function isEntry({ method, fetchSite, referer, userAgent }: Visitor, origins: Origins): boolean {
  if (method !== 'GET' || fetchSite === 'same-origin' || fetchSite === 'same-site') return false
  if (referer && URL.canParse(referer) && Object.values(origins).includes(new URL(referer).origin))
    return false
  return !(userAgent && isbot(userAgent))
}

/**
 * The language to which a page of the English host sends a visitor on entry, or null when he stays (decisions 4.3). Only
 * a cookie may send him to another host; who merely prefers Chinese or Russian stays and is offered it.
 */
export function negotiateLocale(page: Page, visitor: Visitor, origins: Origins): LocaleCode | null {
  if (!visitor.acceptLanguage && !visitor.cookie) return null
  if (!isEntry(visitor, origins)) return null
  const chosen = chosenLocale(visitor.cookie)
  const wanted = chosen ?? preferredLocale(visitor.acceptLanguage) ?? 'en'
  if (wanted === 'en' || (!chosen && locales[wanted].domain !== 'en')) return null
  return switchLocale(page, wanted) ? wanted : null
}

/** A language that an API call names: our code or a tag; it-IT and id-ID mean English, zh-HK means Taiwan's Chinese. */
export const localeOfCall = (value: string): LocaleCode | null =>
  localeBySegment.get(value.toLowerCase())?.code ??
  (/^(?:it|id)(?:-|$)/i.test(value) ? 'en' : localeOfTag(value))
