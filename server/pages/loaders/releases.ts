import { listPageSize } from '../../../shared/constants'
import { systems } from '../../../shared/front-matter'
import { locales, type LocaleCode } from '../../../shared/i18n/locales'
import type { Card, ListedFile, PageData } from '../../../shared/page-data'
import { href } from '../../../shared/routes/href'
import type { FullEntry } from '../../content/store/entry'
import { articleOf, neighborsOf } from './articles'
import { cardOf, localDay } from './cards'
import type { BackendFiles, ReleaseFile } from '../page-services'
import type { ContentContext, LoadContext } from './context'

/**
 * Writes a size in KB or MB by the rules of the language. 1 KB is 1000 bytes, as in the file
 * managers of macOS and most Linux desktops.
 */
function formatSize(bytes: number, locale: LocaleCode): string {
  const inMegabytes = bytes >= 1e6
  const format = new Intl.NumberFormat(locales[locale].language, {
    style: 'unit',
    unit: inMegabytes ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: inMegabytes ? 1 : 0,
  })
  return format.format(Math.max(1, bytes / (inMegabytes ? 1e6 : 1e3)))
}

/** The files for a page: their sizes become text in its language. */
export const listFiles = (
  { locale }: ContentContext,
  files: readonly ReleaseFile[],
): ListedFile[] =>
  files.map(({ size, ...file }) => ({
    ...file,
    ...(size ? { size: formatSize(size, locale) } : {}),
  }))

/** A release in the list. */
type ReleaseItem = Card & { highlights: readonly string[] }

export function loadRelease(context: LoadContext): PageData['release'] | null {
  const entry = context.store.findEntry('release', context.params['id'] ?? '', context.locale)
  if (!entry) return null
  return {
    article: articleOf(context, entry),
    files: listFiles(context, entry.front.files),
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
      date: localDay(context, entry.front.date),
      files: listFiles(context, entry.front.files),
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
): readonly ReleaseFile[] =>
  systems.flatMap((system): ReleaseFile[] => {
    const ours = own.find((file) => file.system === system)
    const named = theirs.get(system)
    if (named === null) return []
    if (named) return [ours?.url === named.url ? { ...ours, ...named } : named]
    return ours ? [ours] : []
  })
