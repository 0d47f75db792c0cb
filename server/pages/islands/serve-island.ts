import type { IncomingMessage, ServerResponse } from 'node:http'
import { pages } from '../../../shared/constants'
import { locales, type HostName, type LocaleCode } from '../../../shared/i18n/locales'
import type { IslandName, IslandProps } from '../../../shared/islands'
import type { IslandResponse } from '../../../shared/payload'
import { islandKey } from '../../cache/cache-keys'
import type { ProducedAnswer } from '../../cache/answer-source'
import { SiteError } from '../../errors'
import { addLogFields } from '../../telemetry/logger'
import { failAsSiteError, jsonAnswer } from '../json-answer'
import type { PageServices } from '../page-services'
import { renderIsland } from './render-island'
import { withTimeout } from './with-timeout'

type IslandRequest = {
  id: string
  name: IslandName
  props: IslandProps
  locale: LocaleCode
  host: HostName
}

type Services = Pick<
  PageServices,
  'build' | 'hosts' | 'loadIsland' | 'serveAnswer' | 'settings' | 'store' | 'view'
>

/** Serves islands by their URLs (spec 6.4), stored and tagged like pages. */
export function createIslandServer(services: Services) {
  return async function serveIsland(
    island: IslandRequest,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    addLogFields(response, { route: routeName(island), locale: island.locale })
    await services.serveAnswer(
      {
        key: islandKey(island.host, island.id),
        produce: () => produceIsland(services, island),
        produceError: failAsSiteError,
      },
      request,
      response,
    )
  }
}

const routeName = ({ name }: IslandRequest): string => `island ${name}`

async function produceIsland(services: Services, island: IslandRequest): Promise<ProducedAnswer> {
  const { id, name, props, locale, host } = island
  const tags = new Set(['site', ...locales[locale].fallback.map((code) => `locale:${code}`)])
  const rendering = renderIsland(services, name, props, locale, tags)
  const html = await withTimeout(rendering, pages.renderTimeoutMs)
  if (html === null) throw new SiteError('notFound')
  const body: IslandResponse = { id, html, head: { link: [] }, props }
  const route = routeName(island)
  const answer = jsonAnswer(services, { host, locale, route, body, tags: [...tags] })
  return { kind: 'whole', storable: true, answer }
}
