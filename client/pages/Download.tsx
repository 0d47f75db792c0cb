import { href } from '../../shared/routes/href'
import { CodeBlock } from '../components/article/CodeBlock'
import { DetectedDownload } from '../components/DetectedDownload'
import { FileList } from '../components/FileList'
import { Island } from '../components/Island'
import { Callout } from '../components/article/Callout'
import { PageHeader } from '../components/PageHeader'
import { PointList } from '../components/landing/PointList'
import { Section } from '../components/Section'
import type { PageProps } from '../pages'
import { usePage } from '../view-context'
import { useTexts } from '../use-texts'
import s from './Download.module.css'

type Release = NonNullable<PageProps<'download'>['data']['release']>

/** Version and date of the newest release, and the way to the notes. */
function ReleaseLinks({ release }: { release: Release }) {
  const t = useTexts('download')
  const { locale } = usePage()
  return (
    <p className={s['version']}>
      <time dateTime={release.date.day}>
        {t('version', { version: release.id, date: release.date.text })}
      </time>
      <a data-track="download-notes" href={release.href}>
        {t('notes', { version: release.id })}
      </a>
      <a data-track="download-releases" href={href(locale, 'release')}>
        {t('allNotes')}
      </a>
    </p>
  )
}

/** Tooltips and copy buttons of the file list, whose own code the browser does not have. */
function startFileTools(): void {
  void import('../components/start-tooltips').then(({ startTooltips }) => startTooltips())
  void import('../components/start-copy-buttons').then(({ startCopyButtons }) => startCopyButtons())
}

/**
 * All files. Until the island arrives, the files from the content reserve its space, without the
 * label for samples.
 */
function Files({ release }: { release: Release }) {
  const t = useTexts('download')
  return (
    <Island
      island={release.list}
      pending={
        <div className={s['pending']}>
          <FileList
            files={release.files.map((file) => ({ ...file, sample: false }))}
            texts={t('files', { returnObjects: true })}
          />
        </div>
      }
      onShown={startFileTools}
    />
  )
}

/**
 * All files of the newest release, so one cached page serves every system; the browser marks the
 * visitor's own.
 */
export function Page({ data }: PageProps<'download'>) {
  const t = useTexts('download')
  const { release } = data
  const hasLinux = release?.files.some((file) => file.system === 'com_linux') ?? false
  return (
    <>
      <PageHeader title={t('title')} lead={t('intro')}>
        {release && <DetectedDownload files={release.files} />}
        {release ? <ReleaseLinks release={release} /> : <p>{t('none')}</p>}
      </PageHeader>
      {release && (
        <Section id="files" title={t('files.heading')}>
          <Files release={release} />
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
            {release.publisher && <p>{t('verify.publisher', { publisher: release.publisher })}</p>}
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
