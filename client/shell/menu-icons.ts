import type { IconName } from '../icons/names'

/** Symbols of menu entries, where they help to tell them apart; those of features are the ones of their pages. */
export const menuIcons: Readonly<Record<string, IconName>> = {
  NAVBAR_MULTI_ACCOUNT_MANAGEMENT: 'users',
  NAVBAR_SYNCHRONIZER: 'refresh',
  NAVBAR_RPA: 'bot',
  NAVBAR_LOCAL_API: 'code',
  NAVBAR_MULTI_PROFILES_MANAGEMENT: 'layers',
  NAVBAR_TEAMWORK: 'briefcase',
}
