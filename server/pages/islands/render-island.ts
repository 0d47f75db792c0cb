import type { PageServices } from '../page-services'
import type { LocaleCode } from '../../../shared/i18n/locales'
import type { IslandName, IslandProps } from '../../../shared/islands'
import { islandRow } from './island-table'

type Markup = string | null

/** An island's markup, the same in a page, in a payload and by itself; null where its props name nothing. `tags` receives what it shows. */
export function renderIsland(
  { island, view, store }: Pick<PageServices, 'island' | 'view' | 'store'>,
  name: IslandName,
  props: IslandProps,
  locale: LocaleCode,
  tags: Set<string>,
): Markup | Promise<Markup> {
  const texts = Object.fromEntries(
    islandRow(name).texts.map((namespace) => [namespace, store.texts(locale, namespace)]),
  )
  const html = (data: unknown): Markup =>
    data === null
      ? null
      : view.renderIsland(name, { locale, texts, brand: store.site().brand }, data)
  const data = island(name, props, locale, tags)
  return data instanceof Promise ? data.then(html) : html(data)
}
