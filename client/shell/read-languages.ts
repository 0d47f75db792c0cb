import type { LocaleCode } from '../../shared/i18n/locales'
import type { BodyView } from '../../shared/view'

/**
 * The links of the language menu that the server rendered; none on a page without that menu.
 * `offeredIn`: the languages that have the page.
 */
export const readLanguages = (
  page: ParentNode,
  offeredIn: readonly LocaleCode[],
): BodyView['languages'] =>
  [...page.querySelectorAll<HTMLAnchorElement>('[data-shell="language-menu"] [data-locale]')].map(
    (link) => {
      // Cast: the server wrote the attribute.
      const code = link.dataset['locale'] as LocaleCode
      return { code, href: link.getAttribute('href') ?? '', same: offeredIn.includes(code) }
    },
  )
