import { useEffect, useRef, useState } from 'react'
import type { System } from '../../shared/front-matter'
import type { ListedFile } from '../../shared/page-data'
import { pageApi } from '../platform/page-api'
import { defaultSystems, detectSystems, readAgentHints } from '../platform/detect-systems'
import { ButtonLink } from './ButtonLink'
import s from './DetectedDownload.module.css'
import { Icon } from './Icon'
import { systemIcons } from './system-icons'
import { useTexts } from '../use-texts'

/**
 * Asks the server for the newest file of a system and downloads it. Without script, the button
 * links to the file that was the newest when the page was rendered.
 */
async function download(system: System): Promise<void> {
  // Only `url` is used, and it is checked below.
  const data = (await pageApi.get('/api/client/sys-client-version/get-latest-version', {
    system,
  })) as { url?: unknown }
  if (typeof data.url !== 'string') throw new Error('the response has no file URL')
  window.location.assign(data.url)
}

/** The visitor's systems; null until the browser has reported them. */
function useDetectedSystems(): readonly System[] | null {
  const [systems, setSystems] = useState<readonly System[] | null>(null)
  useEffect(() => {
    let canceled = false
    void readAgentHints(window.navigator).then(
      (hints) => canceled || setSystems(detectSystems(hints)),
    )
    return () => {
      canceled = true
    }
  }, [])
  return systems
}

/**
 * Download buttons for the visitor's own system (spec 7.4): Windows 64-bit until the browser has
 * reported its system. The height is the same for one button and two, so the layout does not shift.
 */
export function DetectedDownload({ files }: { files: readonly ListedFile[] }) {
  const t = useTexts('download')
  const systems = useDetectedSystems()
  const [failed, setFailed] = useState<System | null>(null)
  const headingRef = useRef<HTMLHeadingElement>(null)
  const filesForSystems = (systems ?? defaultSystems).flatMap((system) =>
    files.filter((file) => file.system === system),
  )
  const hasSample = filesForSystems.some(({ sample }) => sample)
  const startDownload = (system: System): void => {
    setFailed(null)
    download(system).catch(() => setFailed(system))
  }
  const retry = (system: System): void => {
    // The button disappears with the message.
    headingRef.current?.focus({ preventScroll: true })
    startDownload(system)
  }
  return (
    <section className={s['container']} aria-labelledby="for-this-computer">
      <h2 ref={headingRef} id="for-this-computer" className={s['title']} tabIndex={-1}>
        {t('detected.heading')}
      </h2>
      {filesForSystems.length === 0 && <p className={s['unavailable']}>{t('linux.text')}</p>}
      <div className={s['buttons']}>
        {filesForSystems.map(({ system, url }, index) => (
          <ButtonLink
            key={system}
            href={url}
            track="download-detected"
            variant={index === 0 ? 'primary' : 'outline'}
            action="download"
            system={system}
            detected={systems !== null}
            onFollow={() => startDownload(system)}
          >
            <Icon name={systemIcons[system]} size={20} />
            {t(`files.systems.${system}`)}
          </ButtonLink>
        ))}
      </div>
      {hasSample && <p className={s['sample']}>{t('files.sample')}</p>}
      {failed && (
        <p className={s['failed']} role="alert">
          {t('detected.failed')}{' '}
          <button
            type="button"
            className={s['retry']}
            data-action="retry"
            data-track="download-retry"
            onClick={() => retry(failed)}
          >
            {t('detected.retry')}
          </button>
        </p>
      )}
    </section>
  )
}
