import type { FullEntry } from '../../content/store/entry'
import type { SiteConfig } from '../../content/site-config'

type Author = { name: string; url?: string | undefined }

/** Author of an entry: front matter has the id of an author of site.yaml, or a name. */
export function authorOf(
  { front }: Pick<FullEntry, 'front'>,
  { authors }: Pick<SiteConfig, 'authors'>,
): Author | null {
  const author = 'author' in front ? front.author : undefined
  return author ? (authors[author] ?? { name: author }) : null
}
