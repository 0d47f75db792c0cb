import { listPageSize } from '../../../shared/constants'
import { systems } from '../../../shared/front-matter'
import type { Card, ListedFile, PageData, ReleaseFile } from '../../../shared/page-data'
import { href } from '../../../shared/routes/href'
import type { FullEntry } from '../../content/store/entry'
import { articleOf, neighborsOf } from './articles'
import { cardOf } from './cards'
import type { BackendFiles } from '../page-services'
import type { ContentContext, LoadContext } from './context'

/** A release in the list. */
type ReleaseItem = Card & { highlights: readonly string[] }

export function loadRelease(context: LoadContext): PageData['release'] | null {
  const entry = context.store.findEntry('release', context.params['id'] ?? '', context.locale)
  if (!entry) return null
  return {
    article: articleOf(context, entry),
    files: entry.front.files,
    ...neighborsOf(context, entry, []),
  }
}

/** Size of the release list: at least one page, which may be empty. */
function listSize({ store, locale }: ContentContext): { total: number; pages: number } {
  const total = store.countEntries('release', locale, {})
  return { total, pages: Math.max(1, Math.ceil(total / listPageSize)) }
}

export function loadReleases(context: LoadContext): PageData['releases'] | null {
  const { locale, page, tags, route } = context
  tags.add('release')
  const { total, pages } = listSize(context)
  if (page > pages) return null
  return {
    list: context.island('ReleaseList', { page: String(page) }),
    pagination: { page, pages, total, base: href(locale, route) },
  }
}

/** One page of the release list; null after its end. */
export function releaseItems(
  context: ContentContext,
  page: number,
): { items: readonly ReleaseItem[] } | null {
  const { store, locale, tags } = context
  tags.add('release')
  if (page > listSize(context).pages) return null
  const entries = store.listNewest('release', locale, {}, listPageSize, (page - 1) * listPageSize)
  const items = entries.flatMap((entry): ReleaseItem[] => {
    const item = cardOf(context, entry)
    if (!item) return []
    const highlights = store.findEntry('release', entry.id, locale)?.front.highlights ?? []
    return [{ ...item, highlights }]
  })
  return { items }
}

/** The newest release, which the download page offers. */
export function newestRelease(context: ContentContext): FullEntry<'release'> | null {
  const { store, locale, tags } = context
  tags.add('release')
  const [newest] = store.listNewest('release', locale, {}, 1, 0)
  return (newest && store.findEntry('release', newest.id, locale)) ?? null
}

export function loadDownload(context: LoadContext): PageData['download'] {
  const entry = newestRelease(context)
  if (!entry) return { release: null }
  return {
    release: {
      id: entry.id,
      href: href(context.locale, 'release-detail', { id: entry.id }),
      date: entry.date ?? '',
      files: entry.front.files,
      list: context.island('DownloadFiles', {}),
      verify: {
        windows: context.island('HighlightedCode', { snippet: 'verify-windows' }),
        mac: context.island('HighlightedCode', { snippet: 'verify-mac' }),
      },
      publisher: context.store.siteConfig().company.publisher,
    },
  }
}

/**
 * For each system the file that the backend names, else that of the content. A file with the same
 * URL keeps the checksum and the size that the content states.
 */
export const downloadFiles = (
  own: readonly ReleaseFile[],
  theirs: BackendFiles,
): readonly ListedFile[] =>
  systems.flatMap((system): ListedFile[] => {
    const ours = own.find((file) => file.system === system)
    const named = theirs.get(system)
    if (named === null) return []
    if (named) return [ours?.url === named.url ? { ...ours, ...named } : named]
    return ours ? [ours] : []
  })
