import type { System } from '../../shared/front-matter'
import type { ListedFile } from '../../shared/page-data'
import { ButtonLink } from './ButtonLink'
import { CopyButton } from './CopyButton'
import { EllipsisText } from './EllipsisText'
import { Icon } from './Icon'
import s from './FileList.module.css'
import { systemIcons } from './system-icons'

type FileTexts = {
  download: string
  checksum: string
  copy: string
  copied: string
  sample: string
  systems: Readonly<Record<System, string>>
}

/**
 * The files of a release. Two pages use it, each with texts of its namespace. A row has the same
 * height without checksum and size, which a backend may not name.
 */
export function FileList({ files, texts }: { files: readonly ListedFile[]; texts: FileTexts }) {
  return (
    <ul className={s['files']}>
      {files.map((file) => (
        <li key={file.system} className={s['file']}>
          <Icon name={systemIcons[file.system]} size={28} className={s['icon']} />
          <div className={s['name']}>
            <h3>{texts.systems[file.system]}</h3>
            <p className={s['size']}>{file.size}</p>
            {file.sample && <p className={s['sample']}>{texts.sample}</p>}
          </div>
          <ButtonLink
            href={file.url}
            track="download-file"
            variant="secondary"
            action="download"
            system={file.system}
            label={`${texts.download}: ${texts.systems[file.system]}`}
          >
            <Icon name="download" size={20} />
            {texts.download}
          </ButtonLink>
          <div className={s['checksum']}>
            {file.sha256 && (
              <>
                <span>{texts.checksum}</span>
                <code className={s['checksumValue']}>
                  <EllipsisText text={file.sha256} />
                </code>
                <CopyButton
                  text={file.sha256}
                  track="download-checksum"
                  label={`${texts.copy}: ${texts.systems[file.system]}`}
                  copiedText={texts.copied}
                />
              </>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}
