import type { ListedFile } from '../../shared/page-data'
import { FileList } from '../components/FileList'
import type { IslandProps } from './island-props'
import { useTexts } from '../use-texts'

/** The files of the newest client. */
export function DownloadFiles({ data }: IslandProps<readonly ListedFile[]>) {
  const t = useTexts('download')
  return <FileList files={data} texts={t('files', { returnObjects: true })} />
}
