import type { System } from '../../shared/content'
import { locales, type LocaleCode } from '../../shared/i18n/locales'
import type { ReleaseFile } from '../../shared/page-data'
import { usePage } from '../view-context'
import { ButtonLink } from './ButtonLink'
import { CopyButton } from './article/CopyButton'
import { EllipsisText } from './EllipsisText'
import { Icon } from './Icon'
import s from './FileList.module.css'
import { systemIcons } from './system-icons'

/** Bytes as KB or MB (of a thousand, as file managers of today count), in words of the language. */
function sizeText(bytes: number, locale: LocaleCode): string {
  const mega = bytes >= 1e6
  const number = new Intl.NumberFormat(locales[locale].language, {
    style: 'unit',
    unit: mega ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: mega ? 1 : 0,
  })
  return number.format(Math.max(1, bytes / (mega ? 1e6 : 1e3)))
}

export type FileTexts = {
  download: string
  checksum: string
  copy: string
  copied: string
  systems: Readonly<Record<System, string>>
}

/** Files of a release. Two pages show it with texts of their own namespaces. */
export function FileList({ files, texts }: { files: readonly ReleaseFile[]; texts: FileTexts }) {
  const { locale } = usePage()
  return (
    <ul className={s['files']}>
      {files.map((file) => (
        <li key={file.system} className={s['file']}>
          <Icon name={systemIcons[file.system]} size={28} className={s['icon']} />
          <div className={s['name']}>
            <h3>{texts.systems[file.system]}</h3>
            <p className={s['size']} suppressHydrationWarning>
              {sizeText(file.size, locale)}
            </p>
          </div>
          <ButtonLink
            href={file.url}
            look="quiet"
            action="download"
            system={file.system}
            label={`${texts.download}: ${texts.systems[file.system]}`}
          >
            <Icon name="download" size={20} />
            {texts.download}
          </ButtonLink>
          <div className={s['checksum']}>
            <span>{texts.checksum}</span>
            <code className={s['sum']}>
              <EllipsisText text={file.sha256} />
            </code>
            <CopyButton
              text={file.sha256}
              label={`${texts.copy}: ${texts.systems[file.system]}`}
              copied={texts.copied}
            />
          </div>
        </li>
      ))}
    </ul>
  )
}
