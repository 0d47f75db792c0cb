import type { Collection } from '../../shared/front-matter'
import { allLocales, hostLanguages, type HostName } from '../../shared/i18n/locales'
import { absoluteUrl, href } from '../../shared/routes/href'
import type { ContentStore } from '../content/store/store'
import { entryHref } from '../url/entry-href'
import type { Hosts } from '../url/hosts'

/** Sections and the keys of their titles: reference first, because readers look things up. */
const sections: ReadonlyArray<{ collection: Collection; key: string }> = [
  { collection: 'docs', key: 'NAVBAR_DOCS' },
  { collection: 'helps', key: 'NAVBAR_HELPS' },
  { collection: 'guide', key: 'NAVBAR_GUIDE' },
  { collection: 'features', key: 'NAVBAR_FEATURES' },
  { collection: 'solutions', key: 'NAVBAR_SOLUTIONS' },
  { collection: 'blog', key: 'NAVBAR_BLOG' },
  { collection: 'news', key: 'NAVBAR_NEWS' },
  { collection: 'release', key: 'NAVBAR_RELEASE' },
]
/** The newest entries of a collection: `llms.txt` is an overview, not a sitemap. */
const maxEntries = 100

const descriptionIn = (seo: unknown): string =>
  seo && typeof seo === 'object' && 'description' in seo && typeof seo.description === 'string'
    ? seo.description
    : ''

/** `llms.txt` of a host in its language: what the site is about, and its texts as Markdown. */
export function llmsText(
  { store, hosts }: { store: ContentStore; hosts: Hosts },
  host: HostName,
): string {
  const locale = hostLanguages[host]
  const { brand } = store.siteConfig()
  const menus = store.texts(locale, 'menus')
  const about = descriptionIn(store.texts(locale, 'home')['seo']).replaceAll('{{brand}}', brand)
  const sectionTexts = sections.flatMap(({ collection, key }) => {
    const lines = store.listNewestTranslated(collection, locale, maxEntries).flatMap((entry) => {
      const path = entryHref(collection, entry.id, locale)
      if (!path) return []
      const title = entry.title.replace(/[[\]]/g, '')
      const url = absoluteUrl(hosts.origins, locale, path)
      return [`- [${title}](${url}.md): ${entry.description}`]
    })
    const name = menus[key]
    const heading = `## ${typeof name === 'string' ? name : collection}`
    return lines.length > 0 ? [heading, lines.join('\n')] : []
  })
  const languages = allLocales
    .filter(({ code }) => code !== locale)
    .map(({ code, name }) => `- [${name}](${absoluteUrl(hosts.origins, code, href(code, 'home'))})`)
  const parts = [`# ${brand}`, `> ${about}`, ...sectionTexts, '## Optional', languages.join('\n')]
  return `${parts.join('\n\n')}\n`
}
