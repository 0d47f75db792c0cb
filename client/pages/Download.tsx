import { useTranslation } from 'react-i18next'
import { href } from '../../shared/routes/href'
import { CodeBlock } from '../components/article/CodeBlock'
import { DetectedDownload } from '../components/DetectedDownload'
import { FileList } from '../components/FileList'
import { Callout } from '../components/article/Callout'
import { LocalDate } from '../components/LocalDate'
import { PageHeader } from '../components/PageHeader'
import { PointList } from '../components/landing/PointList'
import { Section } from '../components/Section'
import type { PageProps } from '../pages'
import { usePage } from '../view-context'
import s from './Download.module.css'

/**
 * All files of the newest release, so one cached page serves every system; the browser marks the
 * visitor's own.
 */
export function Page({ data }: PageProps<'download'>) {
  const { t } = useTranslation('download')
  const { locale } = usePage()
  const { release } = data
  const hasLinux = release?.files.some((file) => file.system === 'com_linux') ?? false
  return (
    <>
      <PageHeader title={t('title')} lead={t('intro')}>
        {release && <DetectedDownload files={release.files} />}
        {release ? (
          <p className={s['version']}>
            <LocalDate
              day={release.date}
              locale={locale}
              text={(date) => t('version', { version: release.id, date })}
            />
            <a href={release.href}>{t('notes', { version: release.id })}</a>
            <a href={href(locale, 'release')}>{t('allNotes')}</a>
          </p>
        ) : (
          <p>{t('none')}</p>
        )}
      </PageHeader>
      {release && (
        <Section id="files" title={t('files.heading')}>
          <FileList files={release.files} texts={t('files', { returnObjects: true })} />
        </Section>
      )}
      <Section id="which" title={t('which.title')} tinted>
        <PointList items={t('which.items', { returnObjects: true })} />
      </Section>
      {!hasLinux && (
        <Section id="linux" split title={t('linux.title')}>
          <div className={s['note']}>
            <Callout>{t('linux.text')}</Callout>
          </div>
        </Section>
      )}
      {release && (
        <Section id="verify" split title={t('verify.title')} text={t('verify.text')}>
          <div className={s['commands']}>
            <h3 className={s['systemHeading']}>{t('verify.windows')}</h3>
            <CodeBlock
              label={t('verify.copy')}
              copiedText={t('verify.copied')}
              island={release.verify.windows}
            />
            <h3 className={s['systemHeading']}>{t('verify.mac')}</h3>
            <CodeBlock
              label={t('verify.copy')}
              copiedText={t('verify.copied')}
              island={release.verify.mac}
            />
          </div>
        </Section>
      )}
    </>
  )
}
