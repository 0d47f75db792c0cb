import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { I18nextProvider } from 'react-i18next'
import { translatorFor } from '../../shared/i18n/translate'
import type { PageView, Texts } from '../../shared/view'
import { AssetContext, ViewContext, type Menus } from '../view-context'
import { FooterColumns } from './FooterColumns'
import { FooterEnd } from './FooterEnd'
import { MainMenu } from './MainMenu'
import { markLinksInHtml } from './menu-html'

type Rendered = Menus & Pick<PageView, 'site'>
/** By the texts of menus in a language: they are the same object until content changes. */
const renderedByTexts = new WeakMap<Texts, Rendered>()

/**
 * The menus of a page as HTML. They differ between pages only in the marks of the current page, so
 * they are rendered once for each language, and the browser needs neither their code nor their
 * texts.
 */
export function renderMenus(view: PageView, asset: (name: string) => string): Menus {
  const { menus: texts = {} } = view.texts
  const known = renderedByTexts.get(texts)
  const rendered = known?.site === view.site ? known : renderOnce(view, asset)
  renderedByTexts.set(texts, rendered)
  return {
    main: markLinksInHtml(rendered.main, view.path),
    footer: markLinksInHtml(rendered.footer, view.path),
    end: rendered.end,
  }
}

function renderOnce(view: PageView, asset: (name: string) => string): Rendered {
  const render = (part: ReactElement): string =>
    renderToStaticMarkup(
      <I18nextProvider i18n={translatorFor(view.locale, view.texts, view.site.brand)}>
        <ViewContext value={{ view, asset, island: null, menus: null }}>
          <AssetContext value={asset}>{part}</AssetContext>
        </ViewContext>
      </I18nextProvider>,
    )
  return {
    main: render(<MainMenu />),
    footer: render(<FooterColumns />),
    end: render(<FooterEnd organization={view.organization} />),
    site: view.site,
  }
}
