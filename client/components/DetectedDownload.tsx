import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { System } from '../../shared/content'
import type { ReleaseFile } from '../../shared/page-data'
import { pageApi } from '../platform/page-api'
import { detectSystem, readHints } from '../platform/detect-system'
import { ButtonLink } from './ButtonLink'
import s from './DetectedDownload.module.css'
import { Icon } from './Icon'
import { systemIcons } from './system-icons'

const assumed: readonly System[] = ['com_win64']

/** Asks the server for the newest file of a system and goes to it; what the server's HTML links to is the way without script. */
async function download(system: System): Promise<void> {
  const data = (await pageApi.get('/api/client/sys-client-version/get-latest-version', {
    system,
  })) as { url?: unknown }
  if (typeof data.url !== 'string') throw new Error('the answer names no file')
  window.location.assign(data.url)
}

/**
 * The visitor's own system first (spec 2.8): Windows 64-bit until the browser has said what it runs on. The height is the same for
 * one button and for two, so nothing moves.
 */
export function DetectedDownload({ files }: { files: readonly ReleaseFile[] }) {
  const { t } = useTranslation('download')
  const [systems, setSystems] = useState<readonly System[] | null>(null)
  const [failed, setFailed] = useState<System | null>(null)
  useEffect(() => {
    let gone = false
    void readHints(window.navigator).then(
      (hints) => gone || setSystems(detectSystem(hints).systems),
    )
    return () => {
      gone = true
    }
  }, [])
  const shown = systems ?? assumed
  const offered = shown.flatMap((system) => files.filter((file) => file.system === system))
  const fetchFile = (system: System): void => {
    setFailed(null)
    download(system).catch(() => setFailed(system))
  }
  return (
    <section className={s['place']} aria-labelledby="for-this-computer">
      <h2 id="for-this-computer" className={s['title']}>
        {t('detected.heading')}
      </h2>
      {offered.length === 0 && <p className={s['none']}>{t('linux.text')}</p>}
      <div className={s['buttons']}>
        {offered.map(({ system, url }, index) => (
          <ButtonLink
            key={system}
            href={url}
            look={index === 0 ? 'main' : 'plain'}
            action="download"
            system={system}
            detected={systems !== null}
            onUse={() => fetchFile(system)}
          >
            <Icon name={systemIcons[system]} size={20} />
            {t(`files.systems.${system}`)}
          </ButtonLink>
        ))}
      </div>
      {failed && (
        <p className={s['failed']} role="alert">
          {t('detected.failed')}{' '}
          <button
            type="button"
            className={s['retry']}
            data-action="retry"
            onClick={() => fetchFile(failed)}
          >
            {t('detected.retry')}
          </button>
        </p>
      )}
    </section>
  )
}
