/** Every page that the route table and the content folder define; tests iterate over it. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Collection } from '../shared/front-matter'
import { collections } from '../shared/front-matter'
import { industries, type Page } from '../shared/routes/availability'
import { routes, routeOfCollection } from '../shared/routes/table'
import { root } from './root'

export const idsOf = (collection: Collection): string[] =>
  readdirSync(join(root, 'content', collection)).sort()
export const localesOfFile = (collection: Collection, id: string): string[] =>
  readdirSync(join(root, 'content', collection, id))
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.replace(/\.md$/, ''))

/** Pages without parameters. */
export const plainPages: readonly Page[] = routes
  .filter((route) => !route.pattern.includes('{'))
  .map((route) => ({ route: route.id, params: {} }))

/**
 * One page for each entry of the content folder, and the category and tag lists that have entries.
 */
export const contentPages: readonly Page[] = [
  ...collections.flatMap((collection) =>
    idsOf(collection).map((id): Page => ({
      route: routeOfCollection[collection],
      params: routeOfCollection[collection] === 'single' ? { html: id } : { id },
    })),
  ),
  ...industries.flatMap(({ id, chinese }): Page[] =>
    chinese && chinese !== id ? [{ route: 'single', params: { html: chinese } }] : [],
  ),
  { route: 'blog-category', params: { category: 'proxies' } },
  { route: 'blog-tags', params: { category: 'proxies', tags: 'proxy' } },
  { route: 'news-category', params: { category: 'product' } },
  { route: 'news-tags', params: { category: 'product', tags: 'synchronizer' } },
  { route: 'case', params: { id: 'e-commerce' } },
]
