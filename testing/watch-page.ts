import type { BrowserContext, Page } from '@playwright/test'

/**
 * Some seconds after a page has loaded, Chromium reports preloads as unused, also used ones. That
 * pictures use theirs is tested in `images.spec.ts`.
 */
const reportOfUnusedPreload = /was preloaded using link preload but not used/

/** Records console errors, failed requests and requests to other hosts. */
export function watchPage(page: Page): { problems: string[]; foreign: string[] } {
  const problems: string[] = []
  const foreign: string[] = []
  page.on('console', (message) => {
    // Error pages answer 404 or 502 on purpose, and the browser reports that for the document.
    const own =
      message.location().url === page.url() &&
      /the server responded with a status of (404|502)/.test(message.text())
    const isExpected = own || reportOfUnusedPreload.test(message.text())
    if (['error', 'warning'].includes(message.type()) && !isExpected)
      problems.push(`${page.url()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`))
  page.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url())
    if (!/(^|\.)localhost$/.test(hostname) && protocol !== 'data:') foreign.push(request.url())
  })
  return { problems, foreign }
}

export const hydrated = (page: Page): Promise<unknown> =>
  page.waitForSelector('html[data-hydrated]', { timeout: 10_000 })

/**
 * Prefetching keeps network and processor busy for a second on each page. The fixture `context` has it
 * off; contexts that a test makes itself call this.
 */
export const withoutPrefetch = (target: BrowserContext | Page): Promise<unknown> =>
  target.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', {
      value: Object.assign(new EventTarget(), { saveData: true, effectiveType: '4g' }),
    }),
  )
