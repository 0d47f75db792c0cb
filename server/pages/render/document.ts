import { escapeHtml } from '../../../shared/escape-html'
import { menusNamespace } from '../../../shared/i18n/namespaces'
import { locales } from '../../../shared/i18n/locales'
import type { PageView } from '../../../shared/view'
import { loaderScript } from './content-security-policy'
import { escapeJson, jsonForScript } from './json-for-script'

/** JSON of objects that pages share until content changes: texts, site info, URLs of assets. */
const cachedJson = new WeakMap<object, string>()

function sharedJson(value: object): string {
  const json = cachedJson.get(value) ?? jsonForScript(value)
  cachedJson.set(value, json)
  return json
}

const textsJson = (texts: PageView['texts']): string =>
  `{${Object.entries(texts)
    .map(([namespace, group]) => `${JSON.stringify(namespace)}:${sharedJson(group)}`)
    .join(',')}}`

/**
 * The view as JSON for hydration, without the head, menus, language links and compiled HTML: the
 * document has them already, and hydration keeps them. `offeredIn` are the languages that have the
 * page, `assets` are URLs that components look up by name.
 */
function dataBlock(view: PageView, assets: Readonly<Record<string, string>>): string {
  // Only in the data: `/{html}` has a parameter of that name.
  const dataWithoutHtml = JSON.stringify(view.data, (key, value: unknown) =>
    key === 'html' && typeof value === 'string' ? '' : value,
  )
  // Joined as text, so that cached JSON is not serialized again.
  const {
    data: _data,
    seo: _seo,
    organization: _organization,
    texts: allTexts,
    site,
    origins,
    languages,
    ...rest
  } = view
  const { [menusNamespace]: _menus, ...texts } = allTexts
  const offeredIn = languages.flatMap(({ code, same }) => (same ? [code] : []))
  const restJson = escapeJson(JSON.stringify({ ...rest, offeredIn }).slice(0, -1))
  return (
    `<script type="application/json" id="view">${restJson},"site":${sharedJson(site)},` +
    `"origins":${sharedJson(origins)},"assets":${sharedJson(assets)},` +
    `"texts":${textsJson(texts)},"data":${escapeJson(dataWithoutHtml)}}</script>`
  )
}

export type DocumentParts = { start: string; afterShell: string; end: string }

/**
 * The document around React's output. Data block and loader script follow the shell directly, so
 * the entry scripts can run before late islands arrive. `noscript`: the operator's pictures for
 * visitors without scripts.
 */
export function documentParts(
  view: PageView,
  head: string,
  entry: readonly string[],
  assets: Readonly<Record<string, string>>,
  noscript: string,
): DocumentParts {
  const { language } = locales[view.locale]
  return {
    start:
      `<!doctype html><html lang="${language}" data-page="${view.route}" ` +
      `data-build="${view.buildId}"><head>${head}</head><body><div id="root">`,
    afterShell:
      dataBlock(view, assets) +
      `<script data-entry="${escapeHtml(entry.join(' '))}">${loaderScript}</script>`,
    end: `${noscript}</body></html>\n`,
  }
}
