import type { RequestHandler } from 'express'
import { SiteError, success } from '../errors'
import type { Site } from '../site'
import { splitTarget } from '../url/decode-path'
import { localeOfCall } from '../url/negotiate-locale'

/** `GET /api/site/offer?lang=`: the few words that offer a page in another language, in that language. */
export function siteOffer({ store }: Site): RequestHandler {
  return function siteOfferCall(request, response) {
    const locale = localeOfCall(new URLSearchParams(splitTarget(request.originalUrl).query).get('lang') ?? '')
    if (!locale) throw new SiteError('badRequest', 'lang: no such language')
    response.setHeader('Cache-Control', 'public, max-age=3600')
    response.json(success({ locale, texts: store.texts(locale, 'offer') }))
  }
}
