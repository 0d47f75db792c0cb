import type { PageData } from '../../../shared/page-data'
import { ArticleText } from './ArticleText'
import { DocFooter } from './DocFooter'
import { Island } from '../Island'
import { PreviousNextLinks } from './PreviousNextLinks'
import { SeriesList } from './SeriesList'
import { ShareLinks } from './ShareLinks'
import { Sidebar } from './Sidebar'
import s from './ArticlePage.module.css'
// The island's code stays on the server, so the page imports its styles.
import '../CardList.module.css'

/** Collections whose articles offer share links; documentation does not. */
const sharedCollections: readonly string[] = ['blog', 'news', 'guide']

/** An article of any collection: sidebar if there is one, text, adjacent and related articles. */
export function ArticlePage({ data }: { data: PageData['article'] }) {
  const { article, previous, next, sidebar, related } = data
  const { collection, category } = article
  const crumbs = category?.href ? [{ href: category.href, text: category.label }] : []
  return (
    <div
      className={sidebar.length > 0 ? `wrap ${s['page']} ${s['withSidebar']}` : `wrap ${s['page']}`}
    >
      {sidebar.length > 0 && <Sidebar sections={sidebar} />}
      <div className={s['column']}>
        <ArticleText article={article} crumbs={crumbs} />
        {sharedCollections.includes(collection) && <ShareLinks title={article.title} />}
        {article.series && <SeriesList parts={article.series} />}
        {sidebar.length > 0 && <DocFooter article={article} />}
        <PreviousNextLinks previous={previous} next={next} />
        {related && (
          <div className={s['related']}>
            <Island island={related} />
          </div>
        )}
      </div>
    </div>
  )
}
