import type { Hosts } from '../url/hosts'
import type { ContentStore } from '../content/store/store'
import type { Collection } from '../../shared/content'
import { allLocales, hostLanguages, type HostName } from '../../shared/i18n/locales'
import { absolute, href } from '../../shared/routes/href'
import { entryHref } from '../url/entry-href'

/** Sections of the overview: collection and the menu text that names it. Reference first, because that is what is looked up. */
const parts: ReadonlyArray<{ collection: Collection; key: string }> = [
  { collection: 'docs', key: 'NAVBAR_DOCS' },
  { collection: 'helps', key: 'NAVBAR_HELPS' },
  { collection: 'guide', key: 'NAVBAR_GUIDE' },
  { collection: 'features', key: 'NAVBAR_FEATURES' },
  { collection: 'solutions', key: 'NAVBAR_SOLUTIONS' },
  { collection: 'blog', key: 'NAVBAR_BLOG' },
  { collection: 'news', key: 'NAVBAR_NEWS' },
  { collection: 'release', key: 'NAVBAR_RELEASE' },
]
/** Newest entries of a collection that are named: an overview, not a sitemap. */
const most = 100

/** `llms.txt` of a host: what the site is about and where its texts lie as Markdown, in the host's own language. */
export function llmsText(
  { store, hosts }: { store: ContentStore; hosts: Hosts },
  host: HostName,
): string {
  const locale = hostLanguages[host]
  const { brand } = store.site()
  const shell = store.texts(locale, 'shell')
  const seo = store.texts(locale, 'home')['seo']
  const about =
    seo && typeof seo === 'object' && 'description' in seo && typeof seo.description === 'string'
      ? seo.description.replaceAll('{{brand}}', brand)
      : ''
  const sections = parts.flatMap(({ collection, key }) => {
    const lines = store.newestOwn(collection, locale, most).flatMap((entry) => {
      const path = entryHref(collection, entry.id, locale)
      return path
        ? [
            `- [${entry.title.replace(/[[\]]/g, '')}](${absolute(hosts.origins, locale, path)}.md): ${entry.description}`,
          ]
        : []
    })
    const name = shell[key]
    return lines.length > 0
      ? [`## ${typeof name === 'string' ? name : collection}`, lines.join('\n')]
      : []
  })
  const others = allLocales
    .filter(({ code }) => code !== locale)
    .map(({ code, name }) => `- [${name}](${absolute(hosts.origins, code, href(code, 'home'))})`)
  return `${[`# ${brand}`, `> ${about}`, ...sections, '## Optional', others.join('\n')].join('\n\n')}\n`
}
