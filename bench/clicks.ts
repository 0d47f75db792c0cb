/**
 * Measures the time from a click on a prefetched link to the painted page: 40 clicks in Chromium.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { ensureBrowser } from '../scripts/browser.mjs'
import { atMost, report } from './report'
import { root, startSite, untilWarmed } from './servers'

const rounds = 10
const pages = ['/pricing', '/download', '/blog', '/about-us']
/** Longest acceptable time (ms) for 95 of 100 clicks. */
const targetMs = 60
/** How long the pointer rests on a link before the click. */
const hoverMs = 400

async function main(): Promise<void> {
  const site = await startSite({ LOG_LEVEL: 'warn' })
  await untilWarmed(site)
  const browser = await chromium.launch({
    executablePath: ensureBrowser(root),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const page = await browser.newPage()
  await page.goto(`http://localhost:${site.port}/faq`)
  await page.waitForSelector('html[data-hydrated]')
  await sleep(2000)
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1)
    for (const path of pages) {
      times.push(
        await page.evaluate(
          ({ to, rest }) =>
            new Promise<number>((resolve) => {
              const link =
                document.querySelector<HTMLAnchorElement>(
                  `header a[href="${to}"], footer a[href="${to}"]`,
                ) ??
                document.body.appendChild(Object.assign(document.createElement('a'), { href: to }))
              link.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
              setTimeout(() => {
                const clickedAt = performance.now()
                window.addEventListener(
                  'page-shown',
                  () =>
                    requestAnimationFrame(() =>
                      setTimeout(() => resolve(performance.now() - clickedAt), 0),
                    ),
                  { once: true },
                )
                link.click()
              }, rest)
            }),
          { to: path, rest: hoverMs },
        ),
      )
    }
  await browser.close()
  await site.stop()
  times.sort((a, b) => a - b)
  const at = (share: number): number => times[Math.floor((times.length - 1) * share)] ?? 0
  report(
    'clicks',
    [{ clicks: times.length, 'median ms': at(0.5).toFixed(0), 'p95 ms': at(0.95).toFixed(0) }],
    ['from the click on a link that was prefetched to the painted page'],
    [atMost('click on a prefetched link to the painted page, p95', targetMs, 'ms', at(0.95))],
  )
}

void main()
