import type { Menus } from '../view-context'

/** `page` for a link to the current page, `true` for one to a page above it. */
function ariaCurrent(href: string, path: string): 'page' | 'true' | null {
  if (href === path) return 'page'
  return path.startsWith(`${href}/`) ? 'true' : null
}

/**
 * Adds `aria-current` to the links of the menus that lead to the current page or to a page above
 * it. `html`: the menus as rendered for all pages, without `aria-current`.
 */
export function markLinksInHtml(html: string, path: string): string {
  let marked = html
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    const href = path.slice(0, end)
    const link = ` href="${href}"`
    marked = marked.replaceAll(link, () => `${link} aria-current="${ariaCurrent(href, path)}"`)
  }
  return marked
}

/** Marks the links of the menus in the page, after a navigation without a load. */
export function markCurrentLinks(page: ParentNode, path: string): void {
  for (const link of page.querySelectorAll('[data-menus] a[href]')) {
    const current = ariaCurrent(link.getAttribute('href') ?? '', path)
    if (current) link.setAttribute('aria-current', current)
    else link.removeAttribute('aria-current')
  }
}

/** The menus that the server rendered; null on a page without them. */
export function readMenus(page: ParentNode): Menus | null {
  const html = (name: string): string | undefined =>
    page.querySelector(`[data-menus="${name}"]`)?.innerHTML
  const [main, footer, end] = [html('main'), html('footer'), html('end')]
  return main !== undefined && footer !== undefined && end !== undefined
    ? { main, footer, end }
    : null
}
