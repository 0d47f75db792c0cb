import type { Build } from '../build-info'
import type { Hosts } from '../url/hosts'
import type { ContentStore } from '../content/store/store'
import { feeds } from '../../shared/constants'
import { locales, type LocaleCode } from '../../shared/i18n/locales'
import { absolute, href } from '../../shared/routes/href'
import type { FullEntry } from '../content/store/entry'
import { diagramsAsWords } from '../content/compile/draw-diagram'
import { finishHtml } from '../url/localize-links'
import { authorOf } from '../pages/loaders/author'
import { escapeXml } from '../../shared/escape-html'
import { feedPath, type FeedCollection } from '../url/feed-paths'

const articleRoutes = { blog: 'blog-article', news: 'news-article' } as const

/** A day as a moment (RFC 3339): front matter knows days only. */
const moment = (day: string): string => `${day}T00:00:00Z`

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * The Atom feed (RFC 4287) of blog or news in a language: entries that have a text of their own in it, newest first.
 * Ids are the articles' canonical addresses; links inside a text are relative to `xml:base`.
 */
export function atomFeed(
  { store, hosts, build }: { store: ContentStore; hosts: Hosts; build: Build },
  collection: FeedCollection,
  locale: LocaleCode,
): string {
  const { brand } = store.site()
  const origin = hosts.origins[locales[locale].domain]
  const list = absolute(hosts.origins, locale, href(locale, collection))
  const name = textOf(store.texts(locale, 'shell')[`NAVBAR_${collection.toUpperCase()}`])
  const entries = store.newestOwn(collection, locale, feeds.entries)
  // An empty feed still says when it was made: the build, so that it does not change from request to request.
  const updated = entries
    .map((entry) => entry.updated ?? entry.date ?? '')
    .sort()
    .at(-1)
  const element = (entry: FullEntry): string => {
    const address = absolute(
      hosts.origins,
      locale,
      href(locale, articleRoutes[collection], { id: entry.id }),
    )
    const author = authorOf(entry, store.site())
    return [
      '<entry>',
      `<id>${escapeXml(address)}</id>`,
      `<title>${escapeXml(entry.title)}</title>`,
      `<link rel="alternate" type="text/html" href="${escapeXml(address)}"/>`,
      ...(entry.date ? [`<published>${moment(entry.date)}</published>`] : []),
      `<updated>${moment(entry.updated ?? entry.date ?? '1970-01-01')}</updated>`,
      ...(author
        ? [
            `<author><name>${escapeXml(author.name)}</name>${author.url ? `<uri>${escapeXml(author.url)}</uri>` : ''}</author>`,
          ]
        : []),
      ...[entry.category, ...entry.tags].flatMap((term) =>
        term ? [`<category term="${escapeXml(term)}"/>`] : [],
      ),
      `<summary>${escapeXml(entry.description)}</summary>`,
      `<content type="html" xml:base="${escapeXml(origin)}/">${escapeXml(finishHtml(diagramsAsWords(entry.html), { store, locale }))}</content>`,
      '</entry>\n',
    ].join('')
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${locales[locale].language}">\n`,
    `<id>${escapeXml(list)}</id><title>${escapeXml(`${brand} ${name}`.trim())}</title>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(list)}"/><link rel="self" type="application/atom+xml" href="${escapeXml(origin + feedPath(collection, locale))}"/>`,
    `<updated>${updated ? moment(updated) : new Date(build.timestamp).toISOString()}</updated><author><name>${escapeXml(brand)}</name></author>\n`,
    ...entries.map(element),
    '</feed>\n',
  ].join('')
}
