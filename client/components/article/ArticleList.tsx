import type { PageData } from '../../../shared/page-data'
import { href } from '../../../shared/routes/href'
import { usePage } from '../../view-context'
import type { Crumb } from '../Breadcrumb'
import { CardList } from '../CardList'
import { EmptyState } from '../EmptyState'
import { Filters } from '../forms/Filters'
import { PageHeader } from '../PageHeader'
import { Pagination } from '../Pagination'
import { useTexts } from '../../use-texts'
import s from './ArticleList.module.css'

/** List of blog or news articles: all of them, one category, or one category filtered by tags. */
export function ArticleList({ data }: { data: PageData['articles'] }) {
  const t = useTexts('lists')
  const { locale } = usePage()
  const { collection, items, pagination, category, tags, categories, tagLinks } = data
  const listUrl = href(locale, collection)
  const crumbs: Crumb[] =
    category?.href && tags.length > 0 ? [{ href: category.href, text: category.label }] : []
  const title = !category
    ? t(`${collection}.title`)
    : tags.length > 0
      ? t('inCategory', { category: category.label, tags: tags.join(', ') })
      : category.label
  return (
    <>
      <PageHeader title={title} lead={t(`${collection}.intro`)} crumbs={crumbs}>
        <Filters
          id="categories"
          label={t('categories')}
          track="list-category"
          items={[{ id: '', label: t('all'), href: listUrl }, ...categories]}
          selected={[category?.id ?? '']}
        />
        {tagLinks.length > 0 && (
          <Filters
            id="tags"
            label={t('tags')}
            track="list-tag"
            items={tagLinks}
            selected={tagLinks.filter((link) => tags.includes(link.label)).map((link) => link.id)}
          />
        )}
      </PageHeader>
      <div className={`wrap ${s['list']}`}>
        {items.length > 0 ? (
          <CardList items={items} track="cards-articles" headingLevel={2} covers />
        ) : (
          <EmptyState title={t('empty')} />
        )}
        <Pagination pagination={pagination} />
      </div>
    </>
  )
}
