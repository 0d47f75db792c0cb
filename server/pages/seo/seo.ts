import type { PageServices } from '../page-services'
import type { LocaleCode } from '../../../shared/i18n/locales'
import type { PageData, PageKind } from '../../../shared/page-data'
import { switchLocale } from '../../../shared/routes/availability'
import { absolute, href } from '../../../shared/routes/href'
import type { Params } from '../../../shared/routes/match'
import type { Route } from '../../../shared/routes/table'
import type { Seo, Texts } from '../../../shared/view'
import { alternatesOf, type Existence } from '../../url/page-availability'

export type SeoInput = {
  site: Pick<PageServices, 'settings' | 'store' | 'hosts' | 'baseInfo'>
  locale: LocaleCode
  route: Route
  params: Params
  data: PageData[PageKind]
  page: number
  existence: Existence
}

type SearchRecord = { title: string; description: string; keywords: string }

const textAt = (texts: Texts, path: readonly string[]): string | null => {
  const found = path.reduce<unknown>(
    (value, key) => (value && typeof value === 'object' ? (value as Texts)[key] : undefined),
    texts,
  )
  return typeof found === 'string' ? found : null
}
const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (whole, key: string) => values[key] ?? whole)

/** The text that a page shows in its own language, or in a fallback. */
function shown(data: PageData[PageKind]): {
  title: string
  description: string
  collection: string
  id: string
  foreign?: LocaleCode
} | null {
  if (!data) return null
  if ('landing' in data) return data.landing
  if ('article' in data) return data.article
  return null
}

/** Title, description and keywords: from front matter, else from the texts of the page's namespace. */
function recordOf({ site, locale, route, data, page }: SeoInput): SearchRecord {
  const { brand } = site.store.site()
  const content = shown(data)
  if (content) {
    const front = site.store.entry(
      content.collection as 'blog',
      content.id,
      content.foreign ?? locale,
    )?.front
    const title = front?.seo_title ?? content.title
    return {
      title: title.includes(brand) ? title : `${title} | ${brand}`,
      description: content.description,
      keywords: front?.seo_keywords ?? '',
    }
  }
  // The home page is titled by base info, which falls back to the texts.
  if (route.id === 'home') {
    const { title, description, keywords } = site.baseInfo.of(locale)
    return { title, description, keywords }
  }
  const namespace = route.texts[0] ?? 'shell'
  const texts = site.store.texts(locale, namespace)
  const suffix = data && 'status' in data ? String(data.status) : ''
  const place = namespace === 'lists' ? ['seo', route.id] : ['seo']
  const labels =
    data && 'categories' in data
      ? { category: data.category?.label ?? '', tags: data.tags.join(', ') }
      : {}
  const values = { brand, ...labels }
  const read = (key: string): string => fill(textAt(texts, [...place, key + suffix]) ?? '', values)
  const pageSuffix =
    page > 1
      ? fill(textAt(site.store.texts(locale, 'lists'), ['seo', 'pageSuffix']) ?? '', {
          page: String(page),
        })
      : ''
  return {
    title: read('title') + pageSuffix,
    description: read('description') + pageSuffix,
    keywords: read('keywords'),
  }
}

/** What search engines and sharing need to know of a page (decisions 9). */
export function seoOf(input: SeoInput): Seo {
  const { site, locale, route, params, data, page, existence } = input
  const { origins } = site.hosts
  const source = shown(data)?.foreign
  const noindex =
    !site.settings.INDEXING ||
    route.meta?.robots === 'noindex' ||
    (data !== null && 'tagLinks' in data && data.tags.length > 1)
  const isError = data !== null && 'status' in data
  const own = absolute(origins, locale, href(locale, route.id, params, page))
  const original = source && switchLocale({ route: route.id, params }, source)
  return {
    ...recordOf(input),
    // A text that is not translated yet belongs to the page of its own language.
    canonical: isError
      ? null
      : source && original
        ? absolute(origins, source, href(source, original.route, original.params))
        : own,
    robots: noindex ? 'noindex' : null,
    alternates:
      isError || source || page > 1
        ? []
        : alternatesOf({ route: route.id, params }, existence, origins),
  }
}
