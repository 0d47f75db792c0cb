import type { LocaleCode } from '../../../shared/i18n/locales'
import type { IslandName, IslandProps, IslandUse } from '../../../shared/islands'
import type { Params } from '../../../shared/routes/path-of'
import type { RouteId } from '../../../shared/routes/table'
import type { ContentStore } from '../../content/store/store'

/**
 * What functions that show content use. They add the surrogate tags of what they show to `tags`.
 */
export type ContentContext = { store: ContentStore; locale: LocaleCode; tags: Set<string> }

/** What the loader of a page uses. */
export type LoadContext = ContentContext & {
  route: RouteId
  params: Params
  page: number
  path: string
  /** Adds an island to the page; returns the props of `<Island>`. */
  island: (name: IslandName, props: IslandProps) => IslandUse
}
