import type { BaseInfoSource } from '../content/store/read-base-info'
import type { RequestHandler } from 'express'
import { localeCodes } from '../../shared/i18n/locales'
import { SiteError } from '../errors'
import { inlineScript } from '../pages/render/statistics-scripts'

type Services = { baseInfo: BaseInfoSource }

/**
 * Inline scripts of the operator's statistics snippets as files addressed by their hash (decisions 7), so that the policy of pages needs no
 * exception for them. Only what a snippet in force holds is served.
 */
export function snippets(site: Services): RequestHandler {
  return function snippetsRow(request, response) {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new SiteError('methodNotAllowed', undefined, { Allow: 'GET, HEAD' })
    const [, hash = ''] = /^\/([0-9a-f]{32})\.js$/.exec(request.path) ?? []
    for (const locale of hash ? localeCodes : []) {
      const text = inlineScript(site.baseInfo.of(locale), hash)
      if (text === null) continue
      response.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
      response.type('text/javascript').send(text)
      return
    }
    throw new SiteError('notFound')
  }
}
