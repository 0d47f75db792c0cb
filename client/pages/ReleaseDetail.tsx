import { ArticleText } from '../components/article/ArticleText'
import { FileList } from '../components/FileList'
import { PreviousNextLinks } from '../components/article/PreviousNextLinks'
import type { PageProps } from '../pages'
import { useTexts } from '../use-texts'
import s from './ReleaseDetail.module.css'

export function Page({ data }: PageProps<'release'>) {
  const t = useTexts('article')
  const { article, files, previous, next } = data
  return (
    <div className={`wrap ${s['page']}`}>
      <ArticleText article={article} />
      <section className={s['files']} aria-labelledby="files-heading">
        <h2 id="files-heading">{t('files.heading')}</h2>
        <FileList files={files} texts={t('files', { returnObjects: true })} />
      </section>
      <PreviousNextLinks previous={previous} next={next} />
    </div>
  )
}
