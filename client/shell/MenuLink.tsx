import type { TrackKey } from '../../shared/tracking-keys'
import { Icon } from '../components/Icon'
import type { IconName } from '../icons/names'
import s from './MainMenu.module.css'

type Props = { href: string; text: string; track: TrackKey; icon?: IconName | undefined }

/** A link of a menu. `menu-html.ts` marks those of the current page. */
export const MenuLink = ({ href, text, track, icon }: Props) => (
  <a className={s['link']} data-track={track} href={href}>
    {icon && <Icon name={icon} size={20} className={s['icon']} />}
    {text}
  </a>
)
