import type { LocaleCode } from '../../../shared/i18n/locales'
import type { IslandName, IslandProps } from '../../../shared/islands'
import type { PageServices } from '../page-services'
import { typesetData, typesetNamespaces } from '../typeset-view'
import { islandRow } from './island-table'

/** Null: the props name nothing. */
type IslandMarkup = string | null

/**
 * Renders an island for a page, a payload or its own URL; a promise where its data comes late. Adds
 * the surrogate tags of what it shows to `tags`.
 */
export function renderIsland(
  { loadIsland, view, store, build }: Pick<PageServices, 'loadIsland' | 'view' | 'store' | 'build'>,
  name: IslandName,
  props: IslandProps,
  locale: LocaleCode,
  tags: Set<string>,
): IslandMarkup | Promise<IslandMarkup> {
  const texts = typesetNamespaces(
    Object.fromEntries(
      islandRow(name).texts.map((namespace) => [namespace, store.texts(locale, namespace)]),
    ),
    locale,
  )
  const { brand } = store.siteConfig()
  const asset = (file: string): string => build.assets.files[file] ?? ''
  const markupOf = (data: unknown): IslandMarkup =>
    data === null
      ? null
      : view.renderIsland(name, { locale, texts, brand, asset }, typesetData(data))
  const data = loadIsland(name, props, locale, tags)
  return data instanceof Promise ? data.then(markupOf) : markupOf(data)
}
