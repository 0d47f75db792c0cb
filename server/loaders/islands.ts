import type { Card } from '../../shared/page-data'
import { isCollection } from '../../shared/content'
import type { ContentStore } from '../content/store'
import type { IslandLoader } from '../site'
import { cards } from './context'

const relatedCount = 3

/** What each island shows. */
export function createIslandLoader(store: ContentStore): IslandLoader {
  return function loadIsland(_name, props, locale): { items: readonly Card[] } {
    const { collection = '', id = '' } = props
    if (!isCollection(collection)) return { items: [] }
    const context = { store, locale, route: 'home', params: {}, page: 1, tags: new Set<string>(), path: '' } as const
    return { items: cards(context, store.related(collection, id, locale, relatedCount)) }
  }
}
