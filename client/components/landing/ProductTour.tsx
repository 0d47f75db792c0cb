import type { Card } from '../../../shared/page-data'
import { ApiPicture } from '../pictures/ApiPicture'
import { FlowPicture } from '../pictures/FlowPicture'
import { TitleWithLanguage, langAttribute } from '../TitleWithLanguage'
import { ProductWindow } from '../pictures/ProductWindow'
import { SyncPicture } from '../pictures/SyncPicture'
import { Tabs } from '../Tabs'
import { useTexts } from '../../use-texts'
import s from './ProductTour.module.css'

const tourTabs = [
  { key: 'profiles', feature: 'multi-account-management' },
  { key: 'sync', feature: 'synchronizer' },
  { key: 'flow', feature: 'rpa' },
  { key: 'api', feature: 'local-api' },
] as const

/** Whether the tour shows a feature; the list of other features leaves it out. */
export const isInTour = (id: string): boolean => tourTabs.some(({ feature }) => feature === id)

function Illustration({ tab }: { tab: (typeof tourTabs)[number]['key'] }) {
  const t = useTexts('home')
  if (tab === 'sync') return <SyncPicture texts={t('pictures.sync', { returnObjects: true })} />
  if (tab === 'flow') return <FlowPicture texts={t('pictures.flow', { returnObjects: true })} />
  if (tab === 'api') return <ApiPicture texts={t('pictures.api', { returnObjects: true })} />
  return <ProductWindow texts={t('window', { returnObjects: true })} />
}

/** Four features as tabs, each with its summary and a drawing. */
export function ProductTour({ features }: { features: readonly Card[] }) {
  const t = useTexts('home')
  const tabs = tourTabs.flatMap(({ key, feature }) => {
    const card = features.find(({ id }) => id === feature)
    if (!card) return []
    const content = (
      <div className={s['panel']}>
        <div>
          <h3 className={s['title']}>
            <a data-track="tour-feature" href={card.href}>
              <TitleWithLanguage text={card.title} foreign={card.foreign} mark={card.mark} />
            </a>
          </h3>
          {card.description && (
            <p className={s['text']} lang={langAttribute(card.foreign)}>
              {card.description}
            </p>
          )}
        </div>
        <Illustration tab={key} />
      </div>
    )
    return [{ id: key, label: t(`pictures.tabs.${key}`), content }]
  })
  return (
    <div className={s['tour']}>
      <Tabs label={t('pictures.heading')} tabs={tabs} track="tour-tab" />
    </div>
  )
}
