import type { IslandLoader } from '../page-services'
import type { ContentStore } from '../../content/store/store'
import { islandRow } from './island-table'
import type { SnippetHtml } from '../../../shared/snippets'

/** What an island shows; null where its props name nothing. Props that are none of its schema are a mistake of ours: they throw. */
export function createIslandLoader(store: ContentStore, snippets: SnippetHtml): IslandLoader {
  return function loadIsland(name, props, locale, tags) {
    const { load, props: schema } = islandRow(name)
    return load({ store, locale, tags, snippets }, schema.parse(props))
  }
}
