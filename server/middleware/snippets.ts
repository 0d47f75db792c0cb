import type { RequestHandler } from 'express'
import { localeCodes } from '../../shared/i18n/locales'
import type { BaseInfoSource } from '../content/store/read-base-info'
import { SiteError } from '../errors'
import { inlineScript } from '../pages/site-info/statistics'

/**
 * The inline scripts of the operator's statistics snippets, as files addressed by their hash (spec
 * 7.10), so that the content security policy of pages needs no exception for them. Only scripts of
 * the current snippets are served.
 */
export function snippets({ baseInfo }: { baseInfo: BaseInfoSource }): RequestHandler {
  return function snippetsRow(request, response) {
    const [, hash = ''] = /^\/([0-9a-f]{32})\.js$/.exec(request.path) ?? []
    for (const locale of hash ? localeCodes : []) {
      const script = inlineScript(baseInfo.of(locale), hash)
      if (script === null) continue
      response.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
      response.type('text/javascript').send(script)
      return
    }
    throw new SiteError('notFound')
  }
}
