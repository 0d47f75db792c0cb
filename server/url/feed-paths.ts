import { localeBySegment, type LocaleCode } from '../../shared/i18n/locales'
import { switchLocale } from '../../shared/routes/availability'
import { localePath } from '../../shared/routes/href'

const feedCollections = ['blog', 'news'] as const
export type FeedCollection = (typeof feedCollections)[number]

/** `/blog/feed.xml` or `/es/blog/feed.xml` */
export const feedPath = (collection: FeedCollection, locale: LocaleCode): string =>
  localePath(locale, `/${collection}/feed.xml`)

/** Feeds of a language: Russian has neither blog nor news. */
export const feedsIn = (locale: LocaleCode): FeedCollection[] =>
  feedCollections.filter(
    (collection) => switchLocale({ route: collection, params: {} }, locale) !== null,
  )

/**
 * The feed that a path names; null for other paths. `locale` is null without a prefix: the language
 * is that of the host.
 */
export function parseFeedPath(
  path: string,
): { collection: FeedCollection; locale: LocaleCode | null } | null {
  const [, segment, name] = /^(?:\/([a-z]{2}))?\/(blog|news)\/feed\.xml$/.exec(path) ?? []
  const collection = feedCollections.find((known) => known === name)
  if (!collection) return null
  if (segment === undefined) return { collection, locale: null }
  const locale = localeBySegment.get(segment)
  return locale && locale.prefix === `/${segment}` ? { collection, locale: locale.code } : null
}
