import { useTranslation } from 'react-i18next'
import type { ListedFile } from '../../shared/page-data'
import { FileList } from '../components/FileList'
import type { IslandProps } from './island-props'

/** The files of the newest client. */
export function DownloadFiles({ data, locale }: IslandProps<readonly ListedFile[]>) {
  const { t } = useTranslation('download')
  return <FileList files={data} texts={t('files', { returnObjects: true })} locale={locale} />
}
