import { useTranslation } from 'react-i18next'
import type { LocaleCode } from '../../../shared/i18n/locales'
import type { PageData } from '../../../shared/page-data'
import { switchLocale } from '../../../shared/routes/availability'
import { href } from '../../../shared/routes/href'
import type { RouteId } from '../../../shared/routes/table'
import { usePage } from '../../view-context'
import { ArticleText } from './ArticleText'
import type { Crumb } from '../Breadcrumb'
import { DocFoot } from './DocFoot'
import { Island } from '../Island'
import { Neighbours } from './Neighbors'
import { SeriesList } from './SeriesList'
import { ShareLinks } from './ShareLinks'
import { Sidebar } from './Sidebar'
import s from './ArticlePage.module.css'
// The island's markup comes from the server without its code: its styles must come with the page.
import '../CardList.module.css'

/** List page and menu key of each collection that is read article by article. */
const parents = {
  blog: { route: 'blog', key: 'NAVBAR_BLOG' },
  news: { route: 'news', key: 'NAVBAR_NEWS' },
  guide: { route: 'guide', key: 'NAVBAR_GUIDE' },
  helps: { route: 'helps', key: 'NAVBAR_HELPS' },
  docs: { route: 'doc', key: 'NAVBAR_DOCS' },
  partner: { route: 'partner', key: 'NAVBAR_PARTNER' },
} as const
type Parent = keyof typeof parents
const isParent = (collection: string): collection is Parent => collection in parents

/** Read by people who pass them on; documentation is looked up. */
const shared: readonly string[] = ['blog', 'news', 'guide']

/** Address of a list page, where the language offers it. */
function listHref(route: RouteId, locale: LocaleCode): string | null {
  // The documentation has no list page of its own (decisions 5): its way up is the first document.
  const page = switchLocale({ route, params: route === 'doc' ? { id: 'profiles' } : {} }, locale)
  return page && href(locale, page.route, page.params)
}

/** An article of any collection: sidebar where it has one, text, neighbours, and related articles. */
export function ArticlePage({ data }: { data: PageData['article'] }) {
  const { t } = useTranslation()
  const { locale } = usePage()
  const { article, previous, next, sidebar, related } = data
  const { collection } = article
  const crumbs: Crumb[] = []
  if (isParent(collection)) {
    const address = listHref(parents[collection].route, locale)
    if (address) crumbs.push({ href: address, text: t(parents[collection].key) })
  }
  if (article.category?.href)
    crumbs.push({ href: article.category.href, text: article.category.label })
  return (
    <div
      className={sidebar.length > 0 ? `wrap ${s['page']} ${s['withSidebar']}` : `wrap ${s['page']}`}
    >
      {sidebar.length > 0 && <Sidebar sections={sidebar} />}
      <div className={s['column']}>
        <ArticleText article={article} crumbs={crumbs} />
        {shared.includes(collection) && <ShareLinks title={article.title} />}
        {article.series && <SeriesList parts={article.series} />}
        {sidebar.length > 0 && <DocFoot article={article} />}
        <Neighbours previous={previous} next={next} />
        {related && (
          <div className={s['related']}>
            <Island {...related} />
          </div>
        )}
      </div>
    </div>
  )
}
