import { ApiPicture } from './ApiPicture'
import { FlowPicture } from './FlowPicture'
import { ProductWindow } from './ProductWindow'
import { SyncPicture } from './SyncPicture'
import { useTexts } from '../../use-texts'

/** Drawing of a landing page: its feature, or the list of profiles where the feature has none. */
export function FeaturePicture({ id }: { id: string }) {
  const t = useTexts('landing')
  if (id === 'synchronizer')
    return <SyncPicture texts={t('pictures.sync', { returnObjects: true })} />
  if (id === 'rpa') return <FlowPicture texts={t('pictures.flow', { returnObjects: true })} />
  if (id === 'local-api') return <ApiPicture texts={t('pictures.api', { returnObjects: true })} />
  return <ProductWindow texts={t('window', { returnObjects: true })} />
}
