import { ArticleText } from '../components/article/ArticleText'
import { LandingPage } from '../components/landing/LandingPage'
import type { PageProps } from '../pages'
import s from './Single.module.css'

/** `/{html}`: a feature or industry, or one of the authors' own texts. */
export function Page({ data }: PageProps<'single'>) {
  if (data.kind === 'landing') return <LandingPage data={data} />
  return (
    <div className={`wrap ${s['page']}`}>
      <ArticleText article={data.article} crumbs={[]} />
    </div>
  )
}
