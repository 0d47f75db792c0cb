import type { System } from '../../shared/front-matter'
import type { IconName } from '../icons/names'

/** Icon of each operating system. */
export const systemIcons: Readonly<Record<System, IconName>> = {
  com_win64: 'windows',
  com_win32: 'windows',
  com_mac: 'apple',
  com_arm64: 'apple',
  com_linux: 'linux',
}
