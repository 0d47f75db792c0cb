import type { System } from '../../shared/content'
import type { IconName } from '../icons/names'

/** The mark of a system's maker. */
export const systemIcons: Readonly<Record<System, IconName>> = {
  com_win64: 'windows',
  com_win32: 'windows',
  com_mac: 'apple',
  com_arm64: 'apple',
  com_linux: 'linux',
}
