import { locales } from '../../../shared/i18n/locales'
import type { Article } from '../../../shared/page-data'
import { plans } from '../../../shared/product'
import { switchLocale } from '../../../shared/routes/availability'
import { absolute, href } from '../../../shared/routes/href'
import type { RouteId } from '../../../shared/routes/table'
import type { PageView } from '../../../shared/view'

type Thing = { '@type': string } & Readonly<Record<string, unknown>>

/** The list that a page belongs to, and the menu text that names it. */
const parents: Partial<Record<RouteId, { route: RouteId; key: string }>> = {
  'blog-article': { route: 'blog', key: 'NAVBAR_BLOG' },
  'blog-category': { route: 'blog', key: 'NAVBAR_BLOG' },
  'blog-tags': { route: 'blog', key: 'NAVBAR_BLOG' },
  'news-article': { route: 'news', key: 'NAVBAR_NEWS' },
  'news-category': { route: 'news', key: 'NAVBAR_NEWS' },
  'news-tags': { route: 'news', key: 'NAVBAR_NEWS' },
  'guide-article': { route: 'guide', key: 'NAVBAR_GUIDE' },
  'help-article': { route: 'helps', key: 'NAVBAR_HELPS' },
  'release-detail': { route: 'release', key: 'NAVBAR_RELEASE' },
  'partner-detail': { route: 'partner', key: 'NAVBAR_PARTNER' },
  solution: { route: 'solutions', key: 'NAVBAR_SOLUTIONS' },
}
/** Texts that are articles to a search engine: written by somebody on a day. */
const articleRoutes: readonly RouteId[] = [
  'blog-article',
  'news-article',
  'guide-article',
  'help-article',
  'doc',
  'release-detail',
]
/** Pages that are about the program itself. */
const softwareRoutes: readonly RouteId[] = ['home', 'download', 'pricing']

const articleIn = ({ data }: PageView): Article | null =>
  data && 'article' in data ? data.article : null

function organization({ site, origins }: PageView, icon: string): Thing {
  return {
    '@type': 'Organization',
    '@id': `${origins.en}/#organization`,
    name: site.brand,
    url: `${origins.en}/`,
    logo: `${origins.en}${icon}`,
    ...(site.social.length > 0 ? { sameAs: site.social.map(({ url }) => url) } : {}),
    contactPoint: {
      '@type': 'ContactPoint',
      contactType: 'customer support',
      email: site.contact.support,
    },
  }
}

function webSite({ site, origins, locale }: PageView): Thing {
  const url = absolute(origins, locale, href(locale, 'home'))
  return {
    '@type': 'WebSite',
    '@id': `${url}#website`,
    name: site.brand,
    url,
    inLanguage: locales[locale].language,
    publisher: { '@id': `${origins.en}/#organization` },
  }
}

/** The way from the home page: home, the list, the category, the page itself. */
function breadcrumbs(view: PageView, title: string, url: string): Thing | null {
  const { locale, route, origins, texts } = view
  if (route === 'home') return null
  const name = (key: string): string =>
    typeof texts.shell?.[key] === 'string' ? String(texts.shell[key]) : ''
  const parent = parents[route]
  const list = parent && switchLocale({ route: parent.route, params: {} }, locale)
  const category = articleIn(view)?.category
  const way = [
    { name: name('NAVBAR_HOME'), item: absolute(origins, locale, href(locale, 'home')) },
    ...(parent && list
      ? [
          {
            name: name(parent.key),
            item: absolute(origins, locale, href(locale, list.route, list.params)),
          },
        ]
      : []),
    ...(category?.href
      ? [{ name: category.label, item: absolute(origins, locale, category.href) }]
      : []),
    { name: title, item: url },
  ]
  return {
    '@type': 'BreadcrumbList',
    itemListElement: way.map((step, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      ...step,
    })),
  }
}

function articleThing(view: PageView, url: string, image: string): Thing | null {
  const article = articleIn(view)
  if (!article || !articleRoutes.includes(view.route)) return null
  const published = article.date ?? article.updated
  return {
    '@type': 'Article',
    headline: article.title,
    description: article.description,
    image: [image],
    mainEntityOfPage: url,
    url,
    inLanguage: locales[article.foreign ?? view.locale].language,
    ...(published ? { datePublished: published, dateModified: article.updated ?? published } : {}),
    author: article.author
      ? {
          '@type': 'Person',
          name: article.author,
          ...(article.authorUrl ? { url: article.authorUrl } : {}),
        }
      : { '@id': `${view.origins.en}/#organization` },
    publisher: { '@id': `${view.origins.en}/#organization` },
    ...(article.category ? { articleSection: article.category.label } : {}),
    ...(article.tags.length > 0
      ? { keywords: article.tags.map(({ label }) => label).join(', ') }
      : {}),
  }
}

function software({ site, origins, locale, route, seo }: PageView, image: string): Thing | null {
  if (!softwareRoutes.includes(route)) return null
  const url = absolute(origins, locale, href(locale, 'download'))
  return {
    '@type': 'SoftwareApplication',
    name: site.brand,
    description: seo.description,
    url,
    image,
    applicationCategory: 'BusinessApplication',
    operatingSystem: 'Windows, macOS, Linux',
    inLanguage: locales[locale].language,
    publisher: { '@id': `${origins.en}/#organization` },
    offers: plans.map(({ id, monthly }) => ({
      '@type': 'Offer',
      name: id,
      price: String(monthly[site.currency]),
      priceCurrency: site.currency,
      url: absolute(origins, locale, href(locale, 'pricing')),
    })),
  }
}

/**
 * What a page says of itself to machines (schema.org): the organization and the site everywhere, besides them the way
 * to the page, the article, the program. Null on error pages, which are about nothing.
 */
export function jsonLd(
  view: PageView,
  title: string,
  icon: string,
  image: string,
): { '@context': string; '@graph': readonly Thing[] } | null {
  const { canonical } = view.seo
  if (!canonical) return null
  const things = [
    organization(view, icon),
    webSite(view),
    breadcrumbs(view, title, canonical),
    articleThing(view, canonical, image),
    software(view, image),
  ]
  return { '@context': 'https://schema.org', '@graph': things.filter((thing) => thing !== null) }
}
