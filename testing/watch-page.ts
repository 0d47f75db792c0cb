import { setTimeout } from 'node:timers/promises'
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

/** Runs in the page: resolves when an element matches. */
const matches = (selector: string): Promise<void> =>
  new Promise((resolve) => {
    const observer = new MutationObserver(() => check())
    const check = (): void => {
      if (document.querySelector(selector) === null) return
      observer.disconnect()
      resolve()
    }
    observer.observe(document, { subtree: true, childList: true, attributes: true })
    check()
  })

/**
 * Waits until an element of the page matches, also if another page is loaded meanwhile.
 * Playwright's functions that take a selector first send a script of 340 KB into the page. That is
 * a quarter of the processor time of a page, so tests that visit many pages call this and
 * `page.evaluate` instead.
 */
export async function untilAttached(page: Page, selector: string): Promise<void> {
  const timeoutMs = 10_000
  const end = Date.now() + timeoutMs
  for (;;) {
    const timeout = new AbortController()
    try {
      return await Promise.race([
        page.evaluate(matches, selector),
        setTimeout(end - Date.now(), null, { signal: timeout.signal }).then(() => {
          throw new Error(`nothing matches ${selector} after ${timeoutMs} ms, on ${page.url()}`)
        }),
      ])
    } catch (error) {
      if (!/Execution context was destroyed/.test(String(error))) throw error
    } finally {
      timeout.abort()
    }
  }
}

export const hydrated = (page: Page): Promise<void> => untilAttached(page, 'html[data-hydrated]')

/**
 * Prefetching keeps network and processor busy for a second on each page. The fixture `context` has
 * it off; contexts that a test makes itself call this.
 */
export const withoutPrefetch = (target: BrowserContext | Page): Promise<unknown> =>
  target.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', {
      value: Object.assign(new EventTarget(), { saveData: true, effectiveType: '4g' }),
    }),
  )
