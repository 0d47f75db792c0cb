import type { LocaleCode } from '../../shared/i18n/locales'
import type { Page as SitePage } from '../../shared/routes/availability'

/** A page of each kind, and a language to switch to. */
export const languageSwitches: ReadonlyArray<[SitePage, LocaleCode, LocaleCode]> = [
  [{ route: 'home', params: {} }, 'en', 'th'],
  [{ route: 'pricing', params: {} }, 'en', 'zh'],
  [{ route: 'solutions', params: {} }, 'en', 'ru'],
  [{ route: 'use-cases', params: {} }, 'ru', 'es'],
  [{ route: 'single', params: { html: 'betting' } }, 'en', 'zh'],
  [{ route: 'single', params: { html: 'self-examination' } }, 'zh', 'pt'],
  [{ route: 'solution', params: { id: 'crypto' } }, 'es', 'vn'],
  [{ route: 'doc', params: { id: 'automation' } }, 'th', 'ko'],
  [{ route: 'blog-article', params: { id: 'choosing-a-proxy-type' } }, 'en', 'tc'],
  [{ route: 'release-detail', params: { id: '1.2.0' } }, 'zh', 'en'],
  [{ route: 'single', params: { html: 'privacy' } }, 'uk', 'hi'],
  [{ route: 'blog-category', params: { category: 'proxies' } }, 'fr', 'tr'],
  [{ route: 'alternative', params: { id: 'gologin' } }, 'en', 'jp'],
  [{ route: 'download', params: {} }, 'ru', 'vn'],
]
