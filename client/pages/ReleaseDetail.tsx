import { useTranslation } from 'react-i18next'
import { href } from '../../shared/routes/href'
import { ArticleText } from '../components/article/ArticleText'
import { FileList } from '../components/FileList'
import { Neighbours } from '../components/article/Neighbors'
import type { PageProps } from '../pages'
import { usePage } from '../view-context'
import s from './ReleaseDetail.module.css'

export function Page({ data }: PageProps<'release'>) {
  const { t } = useTranslation('article')
  const { t: shell } = useTranslation()
  const { locale } = usePage()
  const { article, files, previous, next } = data
  return (
    <div className={`wrap ${s['page']}`}>
      <ArticleText
        article={article}
        crumbs={[{ href: href(locale, 'release'), text: shell('NAVBAR_RELEASE') }]}
      />
      <section className={s['files']} aria-labelledby="files-heading">
        <h2 id="files-heading">{t('files.heading')}</h2>
        <FileList files={files} texts={t('files', { returnObjects: true })} />
      </section>
      <Neighbours previous={previous} next={next} />
    </div>
  )
}
