import type { RequestHandler } from 'express'
import { limits } from '../../shared/constants'
import { isLocaleCode } from '../../shared/i18n/locales'
import { isIslandName, type IslandName, type IslandProps } from '../../shared/islands'
import { SiteError } from '../errors'
import { islandId } from '../pages/islands/island-id'
import { islandRow } from '../pages/islands/island-table'
import { createIslandServer } from '../pages/islands/serve-island'
import type { PageServices } from '../pages/page-services'
import { splitTarget } from '../url/decode-path'

const islandPath = /^\/__nuxt_island\/([A-Za-z]+)_([0-9a-f]{16})\.json$/

/**
 * Parses the `props` parameter by the schema of the island. Throws 400 for other props, and 404
 * when one is longer than any id.
 */
function parseProps(name: IslandName, text: string): IslandProps {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new SiteError('badRequest', 'props: not JSON')
  }
  const { success, data, error } = islandRow(name).props.safeParse(value)
  if (!success) {
    const field = ['props', ...(error.issues[0]?.path ?? [])].join('.')
    throw new SiteError('badRequest', `${field}: not accepted by this island`)
  }
  // Every island's schema is an object of strings.
  const props = data as IslandProps
  if (Object.values(props).some(({ length }) => length > limits.maxNameLength))
    throw new SiteError('notFound')
  return props
}

/**
 * `GET /__nuxt_island/{Name}_{hash}.json?lang=&props=` (spec 6.4). An unknown name or language and
 * a wrong hash are 404, props that the island does not accept are 400. The hash binds the URL to
 * one answer of one build, so a cache cannot store another one for it.
 */
export function islands(services: PageServices): RequestHandler {
  const { hosts, build } = services
  const serveIsland = createIslandServer(services)
  return function islandsRow(request, response, next) {
    const { path, query } = splitTarget(request.originalUrl)
    const [, name = '', hash = ''] = islandPath.exec(path) ?? []
    const parameters = new URLSearchParams(query)
    const locale = parameters.get('lang') ?? ''
    const hasUrl = isIslandName(name) && !islandRow(name).pageOnly
    if (!hasUrl || !isLocaleCode(locale)) throw new SiteError('notFound')
    const props = parseProps(name, parameters.get('props') ?? '')
    const id = islandId(name, locale, props, build.id)
    if (id !== `${name}_${hash}`) throw new SiteError('notFound')
    response.locals['skipCompression'] = true
    const host = hosts.hostNameOf(request.headers.host ?? '')
    serveIsland({ id, name, props, locale, host }, request, response).catch(next)
  }
}
