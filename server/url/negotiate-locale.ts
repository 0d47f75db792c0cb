import { isbot } from 'isbot'
import Negotiator from 'negotiator'
import { localeBySegment, locales, type LocaleCode } from '../../shared/i18n/locales'
import { localeOfTag } from '../../shared/i18n/locale-of-tag'
import { switchLocale, type Page } from '../../shared/routes/availability'
import type { Origins } from '../../shared/routes/href'

/** What the negotiation of the language depends on. */
export type VisitorHeaders = {
  method: string
  acceptLanguage: string | undefined
  /** Whether the request has any cookie, and the language that one of them names. */
  hasCookies: boolean
  cookieLocale: LocaleCode | null
  fetchSite: string | undefined
  referer: string | undefined
  userAgent: string | undefined
}

/** Best known language of an `Accept-Language` header (RFC 4647 lookup). */
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

/** Whether the visitor comes from outside of the site: only then is the language negotiated. */
function isEntry(
  { method, fetchSite, referer, userAgent }: VisitorHeaders,
  origins: Origins,
): boolean {
  if (method !== 'GET' || fetchSite === 'same-origin' || fetchSite === 'same-site') return false
  if (referer && URL.canParse(referer) && Object.values(origins).includes(new URL(referer).origin))
    return false
  return !(userAgent && isbot(userAgent))
}

/**
 * The language that a page of the en host redirects a visitor to (spec 4.3); null: no redirect.
 * Only a cookie leads to another host: visitors whose browser prefers Chinese or Russian are
 * offered that language instead (spec 4.7).
 */
export function negotiateLocale(
  page: Page,
  visitor: VisitorHeaders,
  origins: Origins,
): LocaleCode | null {
  if (!visitor.acceptLanguage && !visitor.hasCookies) return null
  if (!isEntry(visitor, origins)) return null
  const chosen = visitor.cookieLocale
  const preferred = chosen ?? preferredLocale(visitor.acceptLanguage) ?? 'en'
  if (preferred === 'en' || (!chosen && locales[preferred].domain !== 'en')) return null
  return switchLocale(page, preferred) ? preferred : null
}

/**
 * The locale of an API parameter, which is a code or a tag. Spec 4.6: it-IT and id-ID mean English,
 * zh-HK means traditional Chinese.
 */
export const localeFromParam = (value: string): LocaleCode | null =>
  localeBySegment.get(value.toLowerCase())?.code ??
  (/^(?:it|id)(?:-|$)/i.test(value) ? 'en' : localeOfTag(value))
