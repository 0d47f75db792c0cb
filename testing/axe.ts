import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'
import type { Result, RunOptions } from 'axe-core'
import { root } from './root'

/** Minified, axe loads in 0.7 of the time. */
const source = readFileSync(join(root, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8')

/** `not colors`: all rules except those of `colors`. */
export type AxeCheck = 'all' | 'colors' | 'not colors'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** Themes differ in colors only. */
const colorRules = ['color-contrast', 'link-in-text-block']
const rulesOf: Readonly<Record<AxeCheck, RunOptions>> = {
  all: { runOnly: tags },
  colors: { runOnly: colorRules },
  'not colors': {
    runOnly: tags,
    rules: Object.fromEntries(colorRules.map((id) => [id, { enabled: false }])),
  },
}

/** Runs in the page, whose `window` has no type for axe. */
async function runAxe([within, options]: readonly [string, RunOptions]): Promise<Result[]> {
  const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(within, options)
  return violations
}

/** Violations that axe reports, in a form short enough for a failure message. */
export async function findViolations(
  page: Page,
  check: AxeCheck = 'all',
  within = 'html',
): Promise<unknown[]> {
  // Loading its 650 KB takes half as long as a check, so it is loaded once in each document.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  // Lists of passed checks would cost as much time as the checks.
  const options: RunOptions = { ...rulesOf[check], resultTypes: ['violations'] }
  const violations = await page.evaluate(runAxe, [within, options] as const)
  return violations.map(({ id, nodes }) => ({
    page: page.url(),
    id,
    nodes: nodes.map(({ target }) => target.join(' ')),
  }))
}
