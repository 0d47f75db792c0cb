import { useTranslation } from 'react-i18next'
import { href } from '../../shared/routes/href'
import { ButtonLink } from '../components/ButtonLink'
import { EmptyState } from '../components/EmptyState'
import { Island } from '../components/Island'
import { PageHead } from '../components/PageHead'
import { Pagination } from '../components/Pagination'
import type { PageProps } from '../pages'
import { usePage } from '../view-context'
// The island's markup comes without its code: its styles must come with the page.
import '../components/PlainList.module.css'
import '../islands/ReleaseList.module.css'

export function Page({ data }: PageProps<'releases'>) {
  const { t } = useTranslation('lists')
  const { locale } = usePage()
  return (
    <>
      <PageHead title={t('release.title')} lead={t('release.intro')}>
        <ButtonLink href={href(locale, 'download')}>{t('release.download')}</ButtonLink>
      </PageHead>
      <div className="wrap">
        {data.pagination.total === 0 ? (
          <EmptyState title={t('empty')} />
        ) : (
          <Island {...data.list} />
        )}
        <Pagination pagination={data.pagination} />
      </div>
    </>
  )
}
