import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** Themes differ in colors only. */
const colorRules = ['color-contrast', 'link-in-text-block']

/** Violations that axe reports, in a form short enough for a failure message. */
export async function findViolations(
  page: Page,
  check: 'all' | 'colors' = 'all',
  within?: string,
): Promise<unknown[]> {
  // Reports violations only and does not merge frames: a complete check takes a second, and lists of
  // passed checks cost as much time as the checks.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode(true)
  if (within) axe.include(within)
  const { violations } = await (
    check === 'all' ? axe.withTags(rules) : axe.withRules(colorRules)
  ).analyze()
  return violations.map(({ id, nodes }) => ({
    page: page.url(),
    id,
    nodes: nodes.map(({ target }) => target.join(' ')),
  }))
}
