import { href } from '../../shared/routes/href'
import { ButtonLink } from '../components/ButtonLink'
import { CardList } from '../components/CardList'
import { EmptyState } from '../components/EmptyState'
import { PageHeader } from '../components/PageHeader'
import { Section } from '../components/Section'
import type { PageProps } from '../pages'
import { usePage } from '../view-context'
import { useTexts } from '../use-texts'

export function Page({ data }: PageProps<'partners'>) {
  const t = useTexts('lists')
  const { locale } = usePage()
  return (
    <>
      <PageHeader title={t('partner.title')} lead={t('partner.intro')} />
      <div className="wrap">
        {data.items.length > 0 ? (
          <CardList items={data.items} track="cards-partners" headingLevel={2} />
        ) : (
          <EmptyState title={t('empty')} />
        )}
      </div>
      <Section id="plan" title={t('partner.planTitle')} text={t('partner.planText')}>
        <ButtonLink href={href(locale, 'partner-plan')} track="section-partner-plan">
          {t('partner.plan')}
        </ButtonLink>
      </Section>
    </>
  )
}
