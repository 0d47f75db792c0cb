import type { TFunction } from 'i18next'
import type shell from '../../locales/en/shell.json'

type MenuKey = Extract<keyof typeof shell, `NAVBAR_${string}`>

// The route table makes the keys as plain strings; that each has its text is tested, not typed.
export const menuText = (t: TFunction, key: string): string => t(key as MenuKey)
