import { useTranslation } from 'react-i18next'
import { disabledRoutes, navIn, type nav } from '../../shared/routes/nav'
import { usePage } from '../view-context'

export type MenuEntry = { key: string; href: string; text: string }

/** Returns the links of a menu in the language of the page, with their texts. */
export function useMenuLinks(): (menu: keyof typeof nav) => MenuEntry[] {
  const { t } = useTranslation()
  const { locale, site } = usePage()
  const disabled = disabledRoutes(site.preSales)
  return (menu) =>
    navIn(menu, locale, disabled).map(({ key, href }) => ({ key, href, text: t(key) }))
}
