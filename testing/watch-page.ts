import type { Page } from '@playwright/test'

/** Everything that a browser complains of on a page, and every request to another machine. */
export function watchPage(page: Page): { problems: string[]; foreign: string[] } {
  const problems: string[] = []
  const foreign: string[] = []
  page.on('console', (message) => {
    // An error page is meant to answer 404 or 502; the browser says so for the document itself.
    const own =
      message.location().url === page.url() &&
      /the server responded with a status of (404|502)/.test(message.text())
    if (['error', 'warning'].includes(message.type()) && !own)
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
