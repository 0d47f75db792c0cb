import { useTranslation } from 'react-i18next'
import type { System } from '../../shared/content'
import type { ReleaseFile } from '../../shared/page-data'
import { FileList } from '../components/FileList'
import { LocalDate } from '../components/LocalDate'
import { PageHead } from '../components/PageHead'
import { PointList } from '../components/PointList'
import { Section } from '../components/Section'
import type { PageProps } from '../pages'
import { usePage } from '../view-context'
import s from './Download.module.css'

/** Name under which a browser saves a file of a system. */
const fileName = (files: readonly ReleaseFile[], system: System): string => files.find((file) => file.system === system)?.url.split('/').at(-1) ?? '…'

/** Every file of the newest release, so that the page serves all systems alike; which one is the visitor's is marked in the browser. */
export function Page({ data }: PageProps<'download'>) {
  const { t } = useTranslation('download')
  const { locale } = usePage()
  const { release } = data
  const hasLinux = release?.files.some((file) => file.system === 'com_linux') ?? false
  return (
    <>
      <PageHead title={t('title')} lead={t('intro')}>
        {release ? (
          <p className={s['version']}>
            <LocalDate day={release.date} locale={locale} text={(date) => t('version', { version: release.id, date })} />
            <a href={release.href}>{t('notes', { version: release.id })}</a>
          </p>
        ) : (
          <p>{t('none')}</p>
        )}
      </PageHead>
      {release && (
        <Section id="files" title={t('files.heading')}>
          <FileList files={release.files} texts={t('files', { returnObjects: true })} />
        </Section>
      )}
      <Section id="which" title={t('which.title')} tinted>
        <PointList items={t('which.items', { returnObjects: true })} />
      </Section>
      {!hasLinux && (
        <Section id="linux" title={t('linux.title')}>
          <p className={s['text']}>{t('linux.text')}</p>
        </Section>
      )}
      {release && (
        <Section id="verify" title={t('verify.title')}>
          <p className={s['text']}>{t('verify.text')}</p>
          <dl className={s['commands']}>
            <dt>{t('verify.windows')}</dt>
            <dd>
              <code>Get-FileHash $HOME\Downloads\{fileName(release.files, 'com_win64')} -Algorithm SHA256</code>
            </dd>
            <dt>{t('verify.mac')}</dt>
            <dd>
              <code>shasum -a 256 ~/Downloads/{fileName(release.files, 'com_arm64')}</code>
            </dd>
          </dl>
        </Section>
      )}
    </>
  )
}
