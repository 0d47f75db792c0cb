// Generated from the files of locales/en by scripts/write-namespaces.ts. Do not edit.
import type about from '../../locales/en/about.json'
import type app from '../../locales/en/app.json'
import type article from '../../locales/en/article.json'
import type categories from '../../locales/en/categories.json'
import type docs from '../../locales/en/docs.json'
import type download from '../../locales/en/download.json'
import type errors from '../../locales/en/errors.json'
import type faq from '../../locales/en/faq.json'
import type home from '../../locales/en/home.json'
import type icons from '../../locales/en/icons.json'
import type landing from '../../locales/en/landing.json'
import type links from '../../locales/en/links.json'
import type lists from '../../locales/en/lists.json'
import type menus from '../../locales/en/menus.json'
import type message from '../../locales/en/message.json'
import type navigation from '../../locales/en/navigation.json'
import type offer from '../../locales/en/offer.json'
import type partnerPlan from '../../locales/en/partner-plan.json'
import type preSales from '../../locales/en/pre-sales.json'
import type pricing from '../../locales/en/pricing.json'
import type referralProgram from '../../locales/en/referral-program.json'
import type search from '../../locales/en/search.json'
import type shell from '../../locales/en/shell.json'

export const namespaces = [
  'about',
  'app',
  'article',
  'categories',
  'docs',
  'download',
  'errors',
  'faq',
  'home',
  'icons',
  'landing',
  'links',
  'lists',
  'menus',
  'message',
  'navigation',
  'offer',
  'partner-plan',
  'pre-sales',
  'pricing',
  'referral-program',
  'search',
  'shell',
] as const

/** Texts of each namespace in English, the source of all translations. */
export type Resources = {
  about: typeof about
  app: typeof app
  article: typeof article
  categories: typeof categories
  docs: typeof docs
  download: typeof download
  errors: typeof errors
  faq: typeof faq
  home: typeof home
  icons: typeof icons
  landing: typeof landing
  links: typeof links
  lists: typeof lists
  menus: typeof menus
  message: typeof message
  navigation: typeof navigation
  offer: typeof offer
  'partner-plan': typeof partnerPlan
  'pre-sales': typeof preSales
  pricing: typeof pricing
  'referral-program': typeof referralProgram
  search: typeof search
  shell: typeof shell
}
