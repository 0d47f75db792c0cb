import type { Collection } from '../../shared/front-matter'
import type { LocaleCode } from '../../shared/i18n/locales'

/** The description of the product's local API, below `content/`. */
export const openApiPath = 'api/openapi.yaml'

type Key = { collection: Collection; id: string; locale: LocaleCode }

/** The id of the document about a tag of the local API. */
export const apiPageId = (tag: string): string => `api-${tag}`

/** Whether a text is made from `api/openapi.yaml`. A translation of it is a file like any other. */
export const isApiPage = ({ collection, id, locale }: Key): boolean =>
  collection === 'docs' && locale === 'en' && id.startsWith('api-')

/** The file below `content/` in which a text is written. */
export const sourcePath = (key: Key): string =>
  isApiPage(key) ? openApiPath : `${key.collection}/${key.id}/${key.locale}.md`
