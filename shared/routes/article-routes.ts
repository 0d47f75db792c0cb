import type { ArticleCollection, RouteNav, RouteRow } from './route-row'

type ArticleRoutes<C extends ArticleCollection> = Readonly<
  Record<C | `${C}-article` | `${C}-category` | `${C}-tags`, RouteRow<C>>
>

/** Routes of blog or news: the list, the articles, and the lists by category and by tags. */
export function articleRoutes<C extends ArticleCollection>(
  collection: C,
  nav: RouteNav,
): ArticleRoutes<C> {
  const list = { texts: ['lists'], query: ['page'], guard: 'blog' } as const
  const rows: Record<string, RouteRow<C>> = {
    [collection]: {
      ...list,
      pattern: `/${collection}`,
      load: { kind: 'articles', collection },
      meta: { nav },
    },
    [`${collection}-article`]: {
      pattern: `/${collection}/{id}`,
      load: { kind: 'article', collection },
      texts: ['article'],
      guard: 'blog',
      parent: collection,
    },
    [`${collection}-category`]: {
      ...list,
      pattern: `/${collection}-{category}`,
      load: { kind: 'articles', collection, by: 'category' },
      parent: collection,
    },
    [`${collection}-tags`]: {
      ...list,
      pattern: `/${collection}-{category}/{tags}`,
      load: { kind: 'articles', collection, by: 'tags' },
      parent: collection,
    },
  }
  // TypeScript types computed keys as `string`.
  return rows as ArticleRoutes<C>
}
