import { Icon } from '../Icon'
import s from './ProfilePicture.module.css'

const rows = [
  { id: 'proxy', value: 'SOCKS5 · PT' },
  { id: 'zone', value: 'Europe/Lisbon' },
  { id: 'language', value: 'pt-PT' },
  { id: 'screen', value: '1920 × 1080' },
] as const

type ProfileTexts = Readonly<
  Record<'label' | 'checked' | 'start' | (typeof rows)[number]['id'], string>
>

/** Drawing of the settings of one profile. */
export function ProfilePicture({ name, texts }: { name: string; texts: ProfileTexts }) {
  return (
    <div className={s['card']} role="img" aria-label={texts.label} data-expose="picture-profile">
      <p className={s['name']}>
        <span className={s['tile']} />
        {name}
      </p>
      {rows.map((row) => (
        <p key={row.id} className={s['row']}>
          <span className={s['key']}>{texts[row.id]}</span>
          <span className={s['value']}>{row.value}</span>
        </p>
      ))}
      <p className={s['end']}>
        <span className={s['checked']}>
          <Icon name="check" size={16} />
          {texts.checked}
        </span>
        <span className={s['start']}>
          <Icon name="play" size={14} />
          {texts.start}
        </span>
      </p>
    </div>
  )
}
