import type { FullEntry } from '../../content/store/entry'
import type { SiteConfig } from '../../content/site-config'

export type Author = { name: string; url?: string | undefined }

/** Who wrote an entry: a person that site.yaml describes under the id in front matter, else the name that stands there. */
export function authorOf(
  { front }: Pick<FullEntry, 'front'>,
  { authors }: Pick<SiteConfig, 'authors'>,
): Author | null {
  const written = 'author' in front ? front.author : undefined
  return written ? (authors[written] ?? { name: written }) : null
}
