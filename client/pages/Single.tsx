import { ArticleText } from '../components/article/ArticleText'
import { LandingPage } from '../components/landing/LandingPage'
import type { PageProps } from '../pages'
import s from './Single.module.css'

/** `/{html}`: a feature, an industry, or a text page such as the privacy policy. */
export function Page({ data }: PageProps<'single'>) {
  if (data.kind === 'landing') return <LandingPage data={data} />
  return (
    <div className={`wrap ${s['page']}`}>
      <ArticleText article={data.article} />
    </div>
  )
}
