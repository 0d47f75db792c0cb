import type { ReactNode } from 'react'
import type { Article } from '../../../shared/page-data'
import { ArticleMeta } from './ArticleMeta'
import { Breadcrumb, type Crumb } from '../Breadcrumb'
import { TableOfContents } from './TableOfContents'
import { Cover } from '../pictures/Cover'
import { FallbackNotice } from './FallbackNotice'
import { OutdatedNotice } from './OutdatedNotice'
import { Prose } from './Prose'
import { TagLinks } from './TagLinks'
import s from './ArticleText.module.css'

/**
 * Title, notices, contents and text of an article; `children` come between its head and its body.
 */
export function ArticleText({
  article,
  crumbs = [],
  children,
}: {
  article: Article
  crumbs?: readonly Crumb[]
  children?: ReactNode
}) {
  const lang = article.foreign?.lang
  const hasContents = article.headings.length > 1
  return (
    <div className={hasContents ? `${s['layout']} ${s['withContents']}` : s['layout']}>
      <div className={s['head']}>
        <Breadcrumb crumbs={crumbs} current={article.title} lang={lang} />
        {article.foreign && <FallbackNotice foreign={article.foreign} />}
        {article.outdated && <OutdatedNotice outdated={article.outdated} />}
        <h1 className={s['title']} lang={lang}>
          {article.title}
        </h1>
        <ArticleMeta article={article} />
        {children}
        {article.cover && <Cover cover={article.cover} variant="head" priority />}
      </div>
      {hasContents && <TableOfContents headings={article.headings} lang={lang} />}
      <article className={s['body']} lang={lang}>
        <Prose html={article.html} />
        <TagLinks tags={article.tags} />
      </article>
    </div>
  )
}
