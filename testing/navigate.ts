import { expect, type Page } from '@playwright/test'
import { locales, type LocaleCode } from '../shared/i18n/locales'
import { hostNames, type TestSite } from './site'
import { hydrated, untilAttached } from './watch-page'

export const addressOn = (site: TestSite, code: LocaleCode, path: string): string =>
  `http://${hostNames[locales[code].domain]}:${site.port}${path}`

/** Counts full page loads of the tab from this call on. */
export function countLoads(page: Page): { count: () => number; urls: string[] } {
  const urls: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame())
      urls.push(request.url())
  })
  return { count: () => urls.length, urls }
}

/**
 * Opens a page and waits for the router's code, so that a click that follows navigates in place.
 */
export async function openReady(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await hydrated(page)
  await untilAttached(page, '#root > [role="status"]')
}

type Shown = { url: string; duration: number }

/**
 * Adds a link to the page, clicks it and resolves to the detail of the `page-shown` event. The page
 * keeps the detail until Playwright asks for it: now and then, Chromium lost a promise instead.
 */
export async function follow(page: Page, href: string): Promise<Shown> {
  await page.evaluate((to) => {
    Object.assign(window, { shown: undefined })
    window.addEventListener(
      'page-shown',
      (event) => Object.assign(window, { shown: (event as CustomEvent<Shown>).detail }),
      { once: true },
    )
    const link = document.createElement('a')
    link.href = to
    document.body.append(link)
    link.click()
    link.remove()
  }, href)
  const shown = await page.waitForFunction(() => (window as { shown?: Shown }).shown, undefined, {
    timeout: 60_000,
  })
  // The cast: the function above waits until it is set.
  return shown.jsonValue() as Promise<Shown>
}

/** Adds a link at the top of the page that the mouse can click. */
export async function insertLink(
  page: Page,
  href: string,
  attributes: Record<string, string> = {},
): Promise<void> {
  await page.evaluate(
    ([to, more]) => {
      const link = document.createElement('a')
      Object.entries({ href: to, id: 'laid', ...more }).forEach(([name, value]) =>
        link.setAttribute(name, value),
      )
      link.textContent = 'laid link'
      document.querySelector('#laid')?.remove()
      document.querySelector('main')?.prepend(link)
    },
    [href, attributes] as const,
  )
}

type Facts = {
  title: string
  lang: string
  canonical: string | null
  description: string
  alternates: string[]
  page: string
  headings: number
}

/** Facts about the current document, or about `html`. */
export const factsOf = (page: Page, html?: string): Promise<Facts> =>
  page.evaluate((source) => {
    const from =
      source === undefined ? document : new DOMParser().parseFromString(source, 'text/html')
    const text = (selector: string, name: string): string | null =>
      from.querySelector(selector)?.getAttribute(name) ?? null
    return {
      title: from.title,
      lang: from.documentElement.lang,
      canonical: text('link[rel="canonical"]', 'href'),
      description: text('meta[name="description"]', 'content') ?? '',
      alternates: Array.from(
        from.querySelectorAll('link[rel="alternate"], meta[property]'),
        (element) => element.outerHTML,
      ),
      page: from.documentElement.dataset['page'] ?? '',
      headings: from.querySelectorAll('h1').length,
    }
  }, html)

export const scrollY = (page: Page): Promise<number> =>
  page.evaluate(() => Math.round(window.scrollY))
export const scrollTo = async (page: Page, y: number): Promise<void> => {
  await page.evaluate((top) => window.scrollTo({ top, behavior: 'instant' }), y)
  await expect.poll(() => scrollY(page)).toBe(y)
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}
