import { locales } from '../../shared/i18n/locales'
import type { PageView } from '../../shared/view'
import { loaderScript } from './content-security-policy'
import { escapeHtml } from './head'

/** JSON that may stand inside a script element: nothing in it can end the element or break a line of script. */
export const jsonForScript = (value: unknown): string => JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

/**
 * The view as hydration needs it: compiled HTML stands in the markup already and is kept there, so it is not sent twice.
 * `assets` are the addresses that components ask for by name.
 */
function dataBlock(view: PageView, assets: Readonly<Record<string, string>>): string {
  // Of the data alone: `/{html}` has a parameter of that name.
  const light = JSON.stringify(view.data, (key, value: unknown) => (key === 'html' && typeof value === 'string' ? '' : value))
  return `<script type="application/json" id="view">${jsonForScript({ ...view, data: JSON.parse(light) as PageView['data'], assets })}</script>`
}

export type DocumentParts = { start: string; afterShell: string; end: string }

/**
 * The document around React's output. Data block and loader follow the shell directly: when the entry scripts run,
 * both are there, even while late islands are still on their way.
 */
export function documentParts(view: PageView, head: string, entry: readonly string[], assets: Readonly<Record<string, string>>): DocumentParts {
  const { language } = locales[view.locale]
  return {
    start: `<!doctype html><html lang="${language}" data-page="${view.route}" data-build="${view.buildId}"><head>${head}</head><body><div id="root">`,
    afterShell: `${dataBlock(view, assets)}<script data-entry="${escapeHtml(entry.join(' '))}">${loaderScript}</script>`,
    end: '</body></html>\n',
  }
}
