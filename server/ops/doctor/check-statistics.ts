import { siteConfigSchema } from '../../content/site-config'
import type { BaseInfo } from '../../content/store/read-base-info'
import type { Settings } from '../../env'
import { readStatistics } from '../../pages/site-info/statistics'
import { pageOrigins } from '../../pages/site-info/visitor-settings'
import { note, type Finding } from './finding'
import { readConfig } from './read-config'

/**
 * Names what pages leave out of the statistics snippets. `source`: where the operator wrote them.
 */
export function checkStatistics(
  settings: Settings,
  source: string,
  snippets: Pick<BaseInfo, 'statistical_title' | 'statistical_body'>,
): Finding[] {
  const config = readConfig(settings, 'site.yaml', siteConfigSchema)
  if (!config) return []
  const origins = pageOrigins({ settings, store: { siteConfig: () => config } })
  return readStatistics(snippets, origins).leftOut.map((part) =>
    note(
      'statistics',
      `${source}: left out: ${part}`,
      'list an origin under csp in content/site.yaml, or remove the part: pages keep scripts, verification tags, and pixels from listed https origins',
    ),
  )
}

/** Checks the statistics snippets of `content/site.yaml`. */
export function checkOwnStatistics(settings: Settings): Finding[] {
  const { title = '', body = '' } =
    readConfig(settings, 'site.yaml', siteConfigSchema)?.statistics ?? {}
  return checkStatistics(settings, 'content/site.yaml', {
    statistical_title: title,
    statistical_body: body,
  })
}
