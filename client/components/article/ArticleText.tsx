import type { ReactNode } from 'react'
import { glueWords } from '../../../shared/i18n/insert-no-break-spaces'
import type { Article } from '../../../shared/page-data'
import { ArticleMeta } from './ArticleMeta'
import { Breadcrumb, type Crumb } from '../Breadcrumb'
import { Contents } from './Contents'
import { Cover } from '../pictures/Cover'
import { FallbackNotice } from './FallbackNotice'
import { langOf } from './ForeignText'
import { OutdatedNotice } from './OutdatedNotice'
import { Prose } from './Prose'
import { TagLinks } from './TagLinks'
import s from './ArticleText.module.css'

/** The text itself with all that belongs to it; `children` stand between its head and its body. */
export function ArticleText({
  article,
  crumbs,
  children,
}: {
  article: Article
  crumbs: readonly Crumb[]
  children?: ReactNode
}) {
  const lang = langOf(article.foreign)
  const hasContents = article.headings.length > 1
  return (
    <div className={hasContents ? `${s['layout']} ${s['withContents']}` : s['layout']}>
      <div className={s['head']}>
        <Breadcrumb crumbs={crumbs} current={article.title} />
        {article.foreign && <FallbackNotice foreign={article.foreign} />}
        {article.outdated && <OutdatedNotice outdated={article.outdated} />}
        <h1 className={s['title']} lang={lang}>
          {glueWords(article.title)}
        </h1>
        <ArticleMeta article={article} />
        {children}
        {article.cover && <Cover cover={article.cover} place="head" priority />}
      </div>
      {hasContents && <Contents headings={article.headings} lang={lang} />}
      <article className={s['body']} lang={lang}>
        <Prose html={article.html} />
        <TagLinks tags={article.tags} />
      </article>
    </div>
  )
}
