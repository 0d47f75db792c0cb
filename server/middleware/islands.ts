import type { Hosts } from '../url/hosts'
import type { Build } from '../build-info'
import type { PageServices } from '../pages/page-services'
import type { RequestHandler } from 'express'
import { limits } from '../../shared/constants'
import { isLocaleCode } from '../../shared/i18n/locales'
import { isIslandName, type IslandProps } from '../../shared/islands'
import { SiteError } from '../errors'
import { islandId } from '../pages/islands/island-id'
import { islandRow } from '../pages/islands/island-table'
import { createIslandServer } from '../pages/islands/serve-island'
import { splitTarget } from '../url/decode-path'

const address = /^\/__nuxt_island\/([A-Za-z]+)_([0-9a-f]{16})\.json$/

/** Props from a query: JSON of an object, as the island's schema has it; what could name nothing by its length alone is 404. */
function propsOf(text: string, schema: ReturnType<typeof islandRow>['props']): IslandProps {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new SiteError('badRequest', 'props: not JSON')
  }
  const parsed = schema.safeParse(value)
  if (!parsed.success)
    throw new SiteError(
      'badRequest',
      ['props', ...(parsed.error.issues[0]?.path ?? [])].join('.') + ': not what this island takes',
    )
  const props = parsed.data as IslandProps
  if (Object.values(props).some((part) => part.length > limits.nameLength))
    throw new SiteError('notFound')
  return props
}

/**
 * `GET /__nuxt_island/{Name}_{hash}.json?lang=&props=` (decisions 6). Unknown name or language, wrong hash: 404; props that
 * the island does not take: 400. The hash binds the address to one answer of one build, so nothing else can be stored under it.
 */
export function islands(site: PageServices): RequestHandler {
  const serveIsland = createIslandServer(site)
  return function islandsRow(request, response, next) {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new SiteError('methodNotAllowed', undefined, { Allow: 'GET, HEAD' })
    const { path, query } = splitTarget(request.originalUrl)
    const [, name = '', hash = ''] = address.exec(path) ?? []
    const parameters = new URLSearchParams(query)
    const locale = parameters.get('lang') ?? ''
    if (!isIslandName(name) || !isLocaleCode(locale)) throw new SiteError('notFound')
    const props = propsOf(parameters.get('props') ?? '', islandRow(name).props)
    const id = islandId(name, locale, props, site.build.id)
    if (id !== `${name}_${hash}`) throw new SiteError('notFound')
    response.locals['answer'] = true
    serveIsland(
      { id, name, props, locale, host: site.hosts.nameOf(request.headers.host ?? '') },
      request,
      response,
    ).catch(next)
  }
}
