import { disabledRoutes, navIn, pageNameOf, type nav } from '../../shared/routes/nav'
import { usePage } from '../view-context'
import { useTexts } from '../use-texts'

/** `name` is that of the page in tracking keys. */
export type MenuEntry = { key: string; name: string; href: string; text: string }

/** Returns the links of a menu in the language of the page, with their texts. */
export function useMenuLinks(): (menu: keyof typeof nav) => MenuEntry[] {
  const t = useTexts('menus')
  const { locale, site } = usePage()
  const disabled = disabledRoutes(site.preSales)
  return (menu) =>
    navIn(menu, locale, disabled).map(({ key, href }) => ({
      key,
      name: pageNameOf(key),
      href,
      text: t(key),
    }))
}
