import { locales } from '../../../shared/i18n/locales'
import type { Article } from '../../../shared/page-data'
import { isPriced } from '../../../shared/plans'
import { plansOf, type Product } from '../../../shared/product-schema'
import { absoluteUrl, href } from '../../../shared/routes/href'
import { menuNameOf, parentOf } from '../../../shared/routes/nav'
import { routeOf, type RouteId } from '../../../shared/routes/table'
import type { PageView, SiteInfo } from '../../../shared/view'
import { jsonForScript } from '../render/json-for-script'

type Thing = { '@type': string } & Readonly<Record<string, unknown>>

/** Pages about the program itself. */
const softwareRoutes: readonly RouteId[] = ['home', 'download', 'pricing']

/** Entries with an author and a date; partners are listed, but are not articles. */
function isArticleRoute(id: RouteId): boolean {
  const { load } = routeOf(id)
  return load.kind === 'release' || (load.kind === 'article' && load.collection !== 'partner')
}

/** A text of the `menus` namespace; empty where it is missing. */
export function menuText({ texts }: Pick<PageView, 'texts'>, key: string): string {
  const text = texts.menus?.[key]
  return typeof text === 'string' ? text : ''
}

const articleIn = ({ data }: PageView): Article | null =>
  data && 'article' in data ? data.article : null

const organizationId = ({ origins }: PageView): string => `${origins.en}/#organization`

function organization(view: PageView, icon: string): Thing {
  const { site, origins, locale } = view
  const { company, social } = view.organization
  return {
    '@type': 'Organization',
    '@id': organizationId(view),
    name: site.brand,
    url: `${origins.en}/`,
    logo: `${origins.en}${icon}`,
    ...(social.length > 0 ? { sameAs: social.map(({ url }) => url) } : {}),
    ...(company.name ? { legalName: company.name } : {}),
    ...(company.address ? { address: company.address } : {}),
    contactPoint: {
      '@type': 'ContactPoint',
      contactType: 'customer support',
      url: absoluteUrl(origins, locale, href(locale, 'single', { html: 'contact' })),
      ...(site.contact.support ? { email: site.contact.support } : {}),
    },
  }
}

function webSite(view: PageView): Thing {
  const { site, origins, locale } = view
  const url = absoluteUrl(origins, locale, href(locale, 'home'))
  return {
    '@type': 'WebSite',
    '@id': `${url}#website`,
    name: site.brand,
    url,
    inLanguage: locales[locale].language,
    publisher: { '@id': organizationId(view) },
  }
}

/**
 * Organization and site as JSON, which all pages of a language share. Kept by the language's site
 * info: when something in it changes, that is a new object, and the JSON is made again.
 */
const siteThings = new WeakMap<SiteInfo, string>()

/** Organization and site as JSON. */
function siteThingsJson(view: PageView, icon: string): string {
  const json =
    siteThings.get(view.site) ??
    `${jsonForScript(organization(view, icon))},${jsonForScript(webSite(view))}`
  siteThings.set(view.site, json)
  return json
}

/** The path from the home page: home, the list, the category, the page. */
function breadcrumbs(view: PageView, title: string, url: string): Thing | null {
  const { locale, route, params, origins } = view
  if (route === 'home') return null
  const menuName = menuNameOf({ route, params })
  const step = (name: string, path: string) => ({
    name,
    item: absoluteUrl(origins, locale, path),
  })
  const parentRoute = routeOf(route).parent
  // A parent that redirects, such as `/docs`, is not a page that search engines could show.
  const parent = parentRoute && !routeOf(parentRoute).redirects ? parentOf(route, locale) : null
  const category = articleIn(view)?.category
  const steps = [
    step(menuText(view, 'NAVBAR_HOME'), href(locale, 'home')),
    ...(parent ? [step(menuText(view, parent.key), parent.href)] : []),
    ...(category?.href ? [step(category.label, category.href)] : []),
    { name: menuName ? menuText(view, menuName) : title, item: url },
  ]
  return {
    '@type': 'BreadcrumbList',
    itemListElement: steps.map((item, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      ...item,
    })),
  }
}

function articleThing(view: PageView, url: string, image: string): Thing | null {
  const article = articleIn(view)
  if (!article || !isArticleRoute(view.route)) return null
  const published = (article.date ?? article.updated)?.day
  const publisher = { '@id': organizationId(view) }
  return {
    '@type': 'Article',
    headline: article.title,
    description: article.description,
    image: [image],
    mainEntityOfPage: url,
    url,
    inLanguage: article.foreign?.lang ?? locales[view.locale].language,
    ...(published
      ? { datePublished: published, dateModified: article.updated?.day ?? published }
      : {}),
    author: article.author
      ? {
          '@type': 'Person',
          name: article.author,
          ...(article.authorUrl ? { url: article.authorUrl } : {}),
        }
      : publisher,
    publisher,
    ...(article.category ? { articleSection: article.category.label } : {}),
    ...(article.tags.length > 0
      ? { keywords: article.tags.map(({ label }) => label).join(', ') }
      : {}),
  }
}

function softwareApplication(view: PageView, image: string, product: Product): Thing | null {
  const { site, origins, locale, route, seo } = view
  if (!softwareRoutes.includes(route)) return null
  const priced = plansOf(product).filter(isPriced)
  return {
    '@type': 'SoftwareApplication',
    name: site.brand,
    description: seo.description,
    url: absoluteUrl(origins, locale, href(locale, 'download')),
    image,
    applicationCategory: 'BusinessApplication',
    operatingSystem: product.systems.map(({ name }) => name).join(', '),
    inLanguage: locales[locale].language,
    publisher: { '@id': organizationId(view) },
    ...(priced.length > 0
      ? {
          offers: priced.map(({ id, monthly }) => ({
            '@type': 'Offer',
            name: id,
            price: String(monthly[site.currency]),
            priceCurrency: site.currency,
            url: absoluteUrl(origins, locale, href(locale, 'pricing')),
          })),
        }
      : {}),
  }
}

/**
 * Structured data of a page (schema.org) as JSON for a script element: organization and site, and
 * where they apply breadcrumbs, article and program. Null on error pages. `icon` is a path, `image`
 * a URL.
 */
export function jsonLd(
  view: PageView,
  title: string,
  icon: string,
  image: string,
  product: Product,
): string | null {
  const { canonical } = view.seo
  if (!canonical) return null
  const things = [
    breadcrumbs(view, title, canonical),
    articleThing(view, canonical, image),
    softwareApplication(view, image, product),
  ]
  const graph = [
    siteThingsJson(view, icon),
    ...things.flatMap((thing) => (thing ? [jsonForScript(thing)] : [])),
  ]
  return `{"@context":"https://schema.org","@graph":[${graph.join(',')}]}`
}
