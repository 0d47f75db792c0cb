import { useTranslation } from 'react-i18next'
import { href } from '../../shared/routes/href'
import { ButtonLink } from '../components/ButtonLink'
import { EmptyState } from '../components/EmptyState'
import { ForeignText, langOf } from '../components/ForeignText'
import { LocalDate } from '../components/LocalDate'
import { PageHead } from '../components/PageHead'
import { Pagination } from '../components/Pagination'
import { PlainList } from '../components/PlainList'
import type { PageProps } from '../pages'
import { usePage } from '../view-context'
import s from './Release.module.css'

export function Page({ data }: PageProps<'releases'>) {
  const { t } = useTranslation('lists')
  const { locale } = usePage()
  return (
    <>
      <PageHead title={t('release.title')} lead={t('release.intro')}>
        <ButtonLink href={href(locale, 'download')}>{t('release.download')}</ButtonLink>
      </PageHead>
      <div className="wrap">
        {data.items.length === 0 && <EmptyState title={t('empty')} />}
        <ol className={s['list']}>
          {data.items.map((item) => (
            <li key={item.id} className={s['item']}>
              <p className={s['date']}>{item.date && <LocalDate day={item.date} locale={locale} />}</p>
              <div>
                <h2 className={s['title']}>
                  <a href={item.href}>
                    <ForeignText text={item.title} foreign={item.foreign} />
                  </a>
                </h2>
                <div lang={langOf(item.foreign)}>
                  <PlainList items={item.highlights} />
                </div>
              </div>
            </li>
          ))}
        </ol>
        <Pagination pagination={data.pagination} />
      </div>
    </>
  )
}
