import { locales } from '../../../shared/i18n/locales'
import type { PageView } from '../../../shared/view'
import { loaderScript } from './content-security-policy'
import { escapeHtml } from '../../../shared/escape-html'
import { escapeJson, jsonForScript } from './json-for-script'

/** JSON of what is one object until content changes (texts of a namespace, what is known of the site, addresses of files): written once, and not with every page. */
const written = new WeakMap<object, string>()

function kept(value: object): string {
  const json = written.get(value) ?? jsonForScript(value)
  written.set(value, json)
  return json
}

const textsJson = (texts: PageView['texts']): string =>
  `{${Object.entries(texts)
    .map(([namespace, of]) => `${JSON.stringify(namespace)}:${kept(of)}`)
    .join(',')}}`

/**
 * The view as hydration needs it: compiled HTML stands in the markup already and is kept there, so it is not sent twice.
 * `assets` are the addresses that components ask for by name.
 */
function dataBlock(view: PageView, assets: Readonly<Record<string, string>>): string {
  // Of the data alone: `/{html}` has a parameter of that name.
  const light = JSON.stringify(view.data, (key, value: unknown) =>
    key === 'html' && typeof value === 'string' ? '' : value,
  )
  // Put together as text: parsing it again to write it once more would be work for nothing.
  const { data: _data, texts, site, origins, ...rest } = view
  const own = escapeJson(JSON.stringify(rest).slice(0, -1))
  return `<script type="application/json" id="view">${own},"site":${kept(site)},"origins":${kept(origins)},"assets":${kept(assets)},"texts":${textsJson(texts)},"data":${escapeJson(light)}}</script>`
}

export type DocumentParts = { start: string; afterShell: string; end: string }

/**
 * The document around React's output. Data block and loader follow the shell directly: when the entry scripts run,
 * both are there, even while late islands are still on their way.
 */
export function documentParts(
  view: PageView,
  head: string,
  entry: readonly string[],
  assets: Readonly<Record<string, string>>,
): DocumentParts {
  const { language } = locales[view.locale]
  return {
    start: `<!doctype html><html lang="${language}" data-page="${view.route}" data-build="${view.buildId}"><head>${head}</head><body><div id="root">`,
    afterShell: `${dataBlock(view, assets)}<script data-entry="${escapeHtml(entry.join(' '))}">${loaderScript}</script>`,
    end: '</body></html>\n',
  }
}
