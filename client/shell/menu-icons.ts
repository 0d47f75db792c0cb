import type { IconName } from '../icons/names'

/** Icons of menu entries by text key; features have the icons of their pages. */
export const menuIcons: Readonly<Record<string, IconName>> = {
  NAVBAR_MULTI_ACCOUNT_MANAGEMENT: 'users',
  NAVBAR_SYNCHRONIZER: 'refresh',
  NAVBAR_RPA: 'bot',
  NAVBAR_LOCAL_API: 'code',
  NAVBAR_MULTI_PROFILES_MANAGEMENT: 'layers',
  NAVBAR_TEAMWORK: 'briefcase',
}
