import type { PageServices } from '../page-services'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pages } from '../../../shared/constants'
import { locales, type HostName, type LocaleCode } from '../../../shared/i18n/locales'
import type { IslandName, IslandProps } from '../../../shared/islands'
import type { IslandAnswer } from '../../../shared/payload'
import { SiteError } from '../../errors'
import { note } from '../../telemetry/logger'
import { islandKey } from '../../cache/answer-keys'
import { jsonAnswer } from '../json-answer'
import type { Produced } from '../../cache/serve-answer'
import { renderIsland } from './render-island'
import { withTimeout } from './with-timeout'

export type IslandRequest = {
  id: string
  name: IslandName
  props: IslandProps
  locale: LocaleCode
  host: HostName
}

/** Serves islands by themselves: stored and tagged as pages are. */
export function createIslandServer(site: PageServices) {
  async function make({ id, name, props, locale, host }: IslandRequest): Promise<Produced> {
    const tags = new Set(['site', ...locales[locale].fallback.map((code) => `locale:${code}`)])
    const html = await withTimeout(
      renderIsland(site, name, props, locale, tags),
      pages.renderTimeout,
    )
    // Props that name nothing: a failure as any other, and never stored.
    if (html === null) throw new SiteError('notFound')
    const body: IslandAnswer = { id, html, head: { link: [] }, props }
    return {
      kind: 'whole',
      storable: true,
      page: jsonAnswer(site, { host, locale, route: `island ${name}`, body, tags: [...tags] }),
    }
  }

  return async function serveIsland(
    request: IslandRequest,
    message: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    note(response, { route: `island ${request.name}`, locale: request.locale })
    const fail = async (error: unknown): Promise<never> => {
      throw error instanceof SiteError
        ? error
        : new SiteError('renderFailed', undefined, { 'Retry-After': '5' })
    }
    await site.serve(
      { key: islandKey(request.host, request.id), make: () => make(request), fail },
      message,
      response,
    )
  }
}
