import { href } from '../../shared/routes/href'
import { ButtonLink } from '../components/ButtonLink'
import { EmptyState } from '../components/EmptyState'
import { Island } from '../components/Island'
import { PageHeader } from '../components/PageHeader'
import { Pagination } from '../components/Pagination'
import type { PageProps } from '../pages'
import { usePage } from '../view-context'
import { useTexts } from '../use-texts'
// The island's code stays on the server, so the page imports its styles.
import '../components/BulletList.module.css'
import '../islands/ReleaseList.module.css'

export function Page({ data }: PageProps<'releases'>) {
  const t = useTexts('lists')
  const { locale } = usePage()
  return (
    <>
      <PageHeader title={t('release.title')} lead={t('release.intro')}>
        <ButtonLink href={href(locale, 'download')} track="hero-download">
          {t('release.download')}
        </ButtonLink>
      </PageHeader>
      <div className="wrap">
        {data.pagination.total === 0 ? (
          <EmptyState title={t('empty')} />
        ) : (
          <Island island={data.list} />
        )}
        <Pagination pagination={data.pagination} />
      </div>
    </>
  )
}
