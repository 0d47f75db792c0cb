import { feeds } from '../../shared/constants'
import { escapeXml } from '../../shared/escape-html'
import { locales, type LocaleCode } from '../../shared/i18n/locales'
import { absoluteUrl, href } from '../../shared/routes/href'
import type { Build } from '../build-info'
import { diagramsAsText } from '../content/compile/draw-diagram'
import type { FullEntry } from '../content/store/entry'
import type { ContentStore } from '../content/store/store'
import { authorOf } from '../pages/loaders/author'
import { feedPath, type FeedCollection } from '../url/feed-paths'
import type { Hosts } from '../url/hosts'
import { localizeHtml } from '../url/localize-links'

type Services = { store: ContentStore; hosts: Hosts; build: Pick<Build, 'timestamp'> }

/** Front matter has days; RFC 3339 needs times. */
const toTimestamp = (day: string): string => `${day}T00:00:00Z`

const linkElement = (attributes: string, url: string): string =>
  `<link ${attributes} href="${escapeXml(url)}"/>`

function authorElement({ store }: Services, entry: FullEntry): string {
  const author = authorOf(entry, store.siteConfig())
  if (!author) return ''
  const uri = author.url ? `<uri>${escapeXml(author.url)}</uri>` : ''
  return `<author><name>${escapeXml(author.name)}</name>${uri}</author>`
}

function entryElement(
  services: Services,
  collection: FeedCollection,
  locale: LocaleCode,
  entry: FullEntry,
): string {
  const { store, hosts } = services
  const path = href(locale, `${collection}-article`, { id: entry.id })
  const url = absoluteUrl(hosts.origins, locale, path)
  const origin = hosts.origins[locales[locale].domain]
  const html = localizeHtml(diagramsAsText(entry.html), { store, locale })
  const terms = [entry.category ?? '', ...entry.tags].filter((term) => term !== '')
  return [
    '<entry>',
    `<id>${escapeXml(url)}</id>`,
    `<title>${escapeXml(entry.title)}</title>`,
    linkElement('rel="alternate" type="text/html"', url),
    entry.date ? `<published>${toTimestamp(entry.date)}</published>` : '',
    `<updated>${toTimestamp(entry.updated ?? entry.date ?? '1970-01-01')}</updated>`,
    authorElement(services, entry),
    ...terms.map((term) => `<category term="${escapeXml(term)}"/>`),
    `<summary>${escapeXml(entry.description)}</summary>`,
    `<content type="html" xml:base="${escapeXml(origin)}/">${escapeXml(html)}</content>`,
    '</entry>\n',
  ].join('')
}

/**
 * The Atom feed (RFC 4287) of blog or news: the newest entries with a text in the language. Ids are
 * the canonical URLs of the articles; links in texts are relative to `xml:base`.
 */
export function atomFeed(
  services: Services,
  collection: FeedCollection,
  locale: LocaleCode,
): string {
  const { store, hosts, build } = services
  const { brand } = store.siteConfig()
  const listUrl = absoluteUrl(hosts.origins, locale, href(locale, collection))
  const feedUrl = hosts.origins[locales[locale].domain] + feedPath(collection, locale)
  const name = store.texts(locale, 'menus')[`NAVBAR_${collection.toUpperCase()}`]
  const title = `${brand} ${typeof name === 'string' ? name : ''}`.trim()
  const entries = store.listNewestTranslated(collection, locale, feeds.maxEntries)
  const newestDay = entries
    .map((entry) => entry.updated ?? entry.date ?? '')
    .sort()
    .at(-1)
  // An empty feed needs a time that is the same in every response: that of the build.
  const updated = newestDay ? toTimestamp(newestDay) : new Date(build.timestamp).toISOString()
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${locales[locale].language}">\n`,
    `<id>${escapeXml(listUrl)}</id><title>${escapeXml(title)}</title>`,
    linkElement('rel="alternate" type="text/html"', listUrl),
    linkElement('rel="self" type="application/atom+xml"', feedUrl),
    `<updated>${updated}</updated><author><name>${escapeXml(brand)}</name></author>\n`,
    ...entries.map((entry) => entryElement(services, collection, locale, entry)),
    '</feed>\n',
  ].join('')
}
