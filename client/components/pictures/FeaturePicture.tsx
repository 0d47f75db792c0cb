import { useTranslation } from 'react-i18next'
import { ApiPicture } from './ApiPicture'
import { FlowPicture } from './FlowPicture'
import { ProductWindow } from './ProductWindow'
import { SyncPicture } from './SyncPicture'

/** The picture of a landing page: its own feature where it shows one, else the list of profiles. */
export function FeaturePicture({ id }: { id: string }) {
  const { t } = useTranslation('landing')
  if (id === 'synchronizer')
    return <SyncPicture texts={t('pictures.sync', { returnObjects: true })} />
  if (id === 'rpa') return <FlowPicture texts={t('pictures.flow', { returnObjects: true })} />
  if (id === 'local-api') return <ApiPicture texts={t('pictures.api', { returnObjects: true })} />
  return <ProductWindow texts={t('window', { returnObjects: true })} />
}
