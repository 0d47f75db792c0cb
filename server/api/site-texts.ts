import type { RequestHandler } from 'express'
import { z } from 'zod'
import { lateNamespaces } from '../../shared/i18n/namespaces'
import { SiteError, success } from '../errors'
import type { Site } from '../site'
import { splitTarget } from '../url/decode-path'
import { localeOfCall } from '../url/negotiate-locale'

const inputSchema = z.object({ lang: z.string().max(64), name: z.enum(lateNamespaces, `one of ${lateNamespaces.join(', ')}`) })

/** `GET /api/site/texts?lang=&name=`: texts of a part of the interface that comes only when a visitor opens it; no page carries them. */
export function siteTexts({ store }: Site): RequestHandler {
  return function siteTextsCall(request, response) {
    const query = new URLSearchParams(splitTarget(request.originalUrl).query)
    const input = inputSchema.safeParse({ lang: query.get('lang') ?? '', name: query.get('name') ?? '' })
    if (!input.success) throw new SiteError('badRequest', `${input.error.issues[0]?.path.join('.')}: ${input.error.issues[0]?.message}`)
    const locale = localeOfCall(input.data.lang)
    if (!locale) throw new SiteError('badRequest', 'lang: no such language')
    response.setHeader('Cache-Control', 'public, max-age=3600')
    response.json(success({ locale, texts: store.texts(locale, input.data.name) }))
  }
}
