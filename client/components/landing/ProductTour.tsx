import { useTranslation } from 'react-i18next'
import { glueWords } from '../../../shared/i18n/insert-no-break-spaces'
import type { Card } from '../../../shared/page-data'
import { ApiPicture } from '../pictures/ApiPicture'
import { FlowPicture } from '../pictures/FlowPicture'
import { ForeignText, langOf } from '../article/ForeignText'
import { ProductWindow } from '../pictures/ProductWindow'
import { SyncPicture } from '../pictures/SyncPicture'
import { Tabs } from '../Tabs'
import s from './ProductTour.module.css'

const tour = [
  { key: 'profiles', feature: 'multi-account-management' },
  { key: 'sync', feature: 'synchronizer' },
  { key: 'flow', feature: 'rpa' },
  { key: 'api', feature: 'local-api' },
] as const

/** Features that the tour shows; a list beside it leaves them out. */
export const isInTour = (id: string): boolean => tour.some(({ feature }) => feature === id)

function Picture({ of }: { of: (typeof tour)[number]['key'] }) {
  const { t } = useTranslation('home')
  if (of === 'sync') return <SyncPicture texts={t('pictures.sync', { returnObjects: true })} />
  if (of === 'flow') return <FlowPicture texts={t('pictures.flow', { returnObjects: true })} />
  if (of === 'api') return <ApiPicture texts={t('pictures.api', { returnObjects: true })} />
  return <ProductWindow texts={t('window', { returnObjects: true })} />
}

/** The product's four faces, one at a time: what it is in words, and its picture. */
export function ProductTour({ features }: { features: readonly Card[] }) {
  const { t } = useTranslation('home')
  const tabs = tour.flatMap(({ key, feature }) => {
    const card = features.find(({ id }) => id === feature)
    if (!card) return []
    const content = (
      <div className={s['face']}>
        <div>
          <h3 className={s['title']}>
            <a href={card.href}>
              <ForeignText text={card.title} foreign={card.foreign} mark={card.mark} />
            </a>
          </h3>
          {card.description && (
            <p className={s['text']} lang={langOf(card.foreign)}>
              {glueWords(card.description)}
            </p>
          )}
        </div>
        <Picture of={key} />
      </div>
    )
    return [{ id: key, label: t(`pictures.tabs.${key}`), content }]
  })
  return (
    <div className={s['tour']}>
      <Tabs label={t('pictures.heading')} tabs={tabs} />
    </div>
  )
}
