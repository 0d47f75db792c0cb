import type { Collection } from '../../../shared/front-matter'
import type { LocaleCode } from '../../../shared/i18n/locales'
import type { Article, Landing, PageData, PageKind } from '../../../shared/page-data'
import { switchLocale, type Page } from '../../../shared/routes/availability'
import { absoluteUrl, href, type Origins } from '../../../shared/routes/href'
import type { Params } from '../../../shared/routes/path-of'
import type { Route } from '../../../shared/routes/table'
import type { Seo } from '../../../shared/view'
import { textAt } from '../../content/text-at'
import { hreflangLinks, type PageAvailability } from '../../url/page-availability'
import type { PageServices } from '../page-services'

type Services = Pick<PageServices, 'settings' | 'store' | 'hosts' | 'baseInfo'>
type SeoInput = {
  locale: LocaleCode
  route: Route
  params: Params
  data: PageData[PageKind]
  page: number
  availability: PageAvailability
}
type SeoTexts = Pick<Seo, 'title' | 'description' | 'keywords'>

/** Metadata of a page for search engines and social networks (spec 9.2–9.4). */
export function seoOf(services: Services, input: SeoInput): Seo {
  const { locale, route, params, data, page, availability } = input
  const { origins } = services.hosts
  const isError = data !== null && 'status' in data
  const source = shownEntry(data)?.foreign?.locale
  const canonical = canonicalUrl(origins, { route: route.id, params, locale, page, source })
  const isIndexed = isIndexedPage(route, data)
  // Search engines ignore the other languages of a page that they do not list.
  const hasAlternates = isIndexed && !isError && !source && page === 1
  return {
    ...seoTexts(services, input),
    canonical: isError ? null : canonical,
    robots: isIndexed && services.settings.INDEXING ? null : 'noindex',
    alternates: hasAlternates
      ? hreflangLinks({ route: route.id, params }, availability, origins)
      : [],
  }
}

type PageInLanguage = Page & { locale: LocaleCode; page: number; source: LocaleCode | undefined }

/** The page itself. A text that is not translated from `source` belongs to the page in `source`. */
export function canonicalUrl(
  origins: Origins,
  { route, params, locale, page, source }: PageInLanguage,
): string {
  const original = source && switchLocale({ route, params }, source)
  return source && original
    ? absoluteUrl(origins, source, href(source, original.route, original.params))
    : absoluteUrl(origins, locale, href(locale, route, params, page))
}

const isIndexedPage = (route: Route, data: PageData[PageKind]): boolean =>
  route.meta?.robots !== 'noindex' && !(data !== null && 'tagLinks' in data && data.tags.length > 1)

/** The entry that a page shows. */
function shownEntry(data: PageData[PageKind]): Article | Landing | null {
  if (data && 'landing' in data) return data.landing
  return data && 'article' in data ? data.article : null
}

/** Title, description and keywords: from the front matter, else from the texts of the page. */
function seoTexts(services: Services, input: SeoInput): SeoTexts {
  const entry = shownEntry(input.data)
  if (entry) return entrySeoTexts(services, input.locale, entry)
  // The home page has its title from base info, which falls back to the texts.
  if (input.route.id === 'home') {
    const { title, description, keywords } = services.baseInfo.of(input.locale)
    return { title, description, keywords }
  }
  return pageSeoTexts(services, input)
}

function entrySeoTexts(
  { store }: Services,
  locale: LocaleCode,
  { collection, id, title, description }: Article | Landing,
): SeoTexts {
  const { brand } = store.siteConfig()
  // Loaders take the collection from the entry, but page data has it as a string.
  const front = store.findEntry(collection as Collection, id, locale)?.front
  const entryTitle = front?.seo_title ?? title
  return {
    title: entryTitle.includes(brand) ? entryTitle : `${entryTitle} | ${brand}`,
    description: front?.seo_description ?? description,
    keywords: front?.seo_keywords ?? '',
  }
}

function pageSeoTexts({ store }: Services, { locale, route, data, page }: SeoInput): SeoTexts {
  const namespace = route.texts[0] ?? 'shell'
  const texts = store.texts(locale, namespace)
  // Lists share one namespace, and both error pages another.
  const group = namespace === 'lists' ? ['seo', route.id] : ['seo']
  const keySuffix = data && 'status' in data ? String(data.status) : ''
  const values = {
    brand: store.siteConfig().brand,
    ...(data && 'categories' in data
      ? { category: data.category?.label ?? '', tags: data.tags.join(', ') }
      : {}),
  }
  const read = (key: string): string => fill(textAt(texts, ...group, key + keySuffix), values)
  const pageSuffix =
    page > 1
      ? fill(textAt(store.texts(locale, 'lists'), 'seo', 'pageSuffix'), { page: String(page) })
      : ''
  return {
    title: read('title') + pageSuffix,
    description: read('description') + pageSuffix,
    keywords: read('keywords'),
  }
}

const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (whole, key: string) => values[key] ?? whole)
